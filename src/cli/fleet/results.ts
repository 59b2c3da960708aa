// `fleet results`: what converged, what did not and why, and what it cost.
import { resolve } from 'node:path'
import { countBy, toCsv, toHtml, type Row } from '../../fleet/rows.js'
import { quoteWord } from '../../text/prompt/quote.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'
import { writeOut, type OutFile } from '../write-out.js'
import { chosen, rowsOf, withFleet, type FleetFlags } from './open.js'

/** How such files begin. */
const CSV_HEAD = /^session,state,label,/
const HTML_HEAD = /^<!doctype html>.*<title>Fleet results<\/title>/

type ResultFlags = FleetFlags & { csv?: string | true; html?: string | true }

export default function results({ args, flags }: Call<ResultFlags>): Promise<number> {
  return withFleet(flags, async (fleet) => {
    const rows = chosen(await rowsOf(fleet, ['completed', 'failed']), args[0])
    const { output, context } = fleet
    if (flags.csv !== undefined) write(flags.csv, { text: toCsv(rows), head: CSV_HEAD }, context.cwd, output)
    if (flags.html !== undefined) write(flags.html, { text: toHtml(rows), head: HTML_HEAD }, context.cwd, output)
    if (flags.csv !== undefined || flags.html !== undefined) return 0
    const usd = rows.reduce((sum, { spent }) => sum + spent.usd, 0)
    if (output.format !== 'text') output.json({ counts: Object.fromEntries(countBy(rows)), usd, results: rows })
    else output.data(`${summary(rows)}, $${usd.toFixed(2)} in all\n${rows.map(lineOf).join('\n')}`)
    return 0
  })
}

function summary(rows: readonly Row[]): string {
  return [...countBy(rows)].map(([state, count]) => `${count} ${state}`).join(', ') || 'nothing has ended'
}

function lineOf(row: Row): string {
  const take = row.ref === null || row.ref === '' ? '' : `\n  take it: git fetch ${quoteWord(row.remote)} ${quoteWord(row.ref)} && git diff FETCH_HEAD:start FETCH_HEAD:result | git apply --3way`
  const next = row.next === null ? '' : `\n  next: ${row.next}`
  const wins = row.wins === true ? ', wins' : ''
  return `${row.session}  ${row.state}${row.label === null ? '' : `, ${row.label}`}${wins}: ${(row.why ?? '').replaceAll(/\s+/g, ' ')}${row.state === 'converged' || row.state === 'completed' ? take : next}`
}

function write(to: string | true, { text, head }: Pick<OutFile, 'text' | 'head'>, cwd: string, output: Output): void {
  if (to === true) return output.data(text)
  writeOut({ path: resolve(cwd, to), text, head, next: 'greenlatch fleet results' })
  output.say(`written: ${resolve(cwd, to)}`)
}
