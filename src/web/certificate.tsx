// H: what is claimed of the session, each claim with the record of the journal that carries it.
import type { Claim } from '../text/view/view.js'
import { Table, type Column } from './table.js'

const COLUMNS: Column<Claim>[] = [
  { name: 'Claim', cell: ({ text }) => text },
  { name: 'Record', number: true, cell: ({ seq }) => seq },
  { name: 'Checksum', cell: ({ sum }) => <code>{sum.slice(0, 16)}</code> },
]

export function Certificate({ claims }: { claims: readonly Claim[] }) {
  return (
    <section class="panel wide" aria-labelledby="panel-H">
      <div class="panel-head"><h2 id="panel-H"><span class="letter" aria-hidden="true">H</span> Certificate</h2></div>
      <p class="says">Each claim names the record of the journal that carries it. <code>greenlatch verify</code> runs the sealed checks again and checks the journal.</p>
      <Table label="Certificate" rows={claims} columns={COLUMNS} />
    </section>
  )
}
