// A panel: a letter, a title, one sentence that says what is seen, the picture, and the same as a table.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { View } from '../text/view/view.js'
import { Table, type Column } from './table.js'

/** What every picture of a session is given. */
export type PlotProps = { view: View; selected: number; choose: (iteration: number) => void }

type Props<T> = {
  letter: string
  title: string
  says: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  tools?: ComponentChildren
  children: ComponentChildren
  wide?: boolean
}

export function Panel<T>({ letter, title, says, rows, columns, tools, children, wide = false }: Props<T>) {
  const [asTable, setAsTable] = useState(false)
  const id = `panel-${letter}`
  return (
    <section class={wide ? 'panel wide' : 'panel'} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}><span class="letter" aria-hidden="true">{letter}</span> {title}</h2>
        <div class="tools">
          {tools}
          <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>Table</button>
        </div>
      </div>
      <p class="says">{says}</p>
      {asTable ? <Table label={title} rows={rows} columns={columns} /> : children}
    </section>
  )
}
