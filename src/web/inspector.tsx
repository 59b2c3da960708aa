// G: one iteration in full: its change, what the gates printed, prompt and response, why it went on as it did, and its events.
import { useEffect, useState } from 'preact/hooks'
import { duration } from '../text/amounts.js'
import type { Row, Step } from '../text/view/view.js'
import { checkText, placeName } from '../text/view/sentences.js'
import type { Detail, Text } from './data.js'
import type { PlotProps } from './panel.js'
import type { DetailOf } from './report.js'

const TABS = ['Decision', 'Change', 'Gates', 'Prompt', 'Response', 'Events'] as const

type Tab = (typeof TABS)[number]

export function Inspector({ view, selected, choose, detailOf }: PlotProps & { detailOf: DetailOf }) {
  const [tab, show] = useState<Tab>('Decision')
  const row = view.rows.find(({ iteration }) => iteration === selected) ?? view.rows.at(-1)
  const detail = useDetail(detailOf, row)
  const last = view.rows.at(-1)?.iteration ?? 0
  const onKeys = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: selected - 1, ArrowRight: selected + 1, Home: 0, End: last }[event.key]
    if (next === undefined || !(event.target instanceof HTMLElement) || event.target.tagName === 'INPUT') return
    event.preventDefault()
    choose(Math.min(last, Math.max(0, next)))
  }
  if (!row) return null
  return (
    <section class="panel wide" id="inspector" aria-labelledby="panel-G" tabIndex={-1}>
      <div class="panel-head">
        <h2 id="panel-G"><span class="letter" aria-hidden="true">G</span> Iteration</h2>
        <div class="tools" role="group" aria-label="Choose an iteration" onKeyDown={onKeys}>
          <button type="button" disabled={selected <= 0} onClick={() => choose(selected - 1)}>Earlier</button>
          <label>iteration <input type="number" min={0} max={last} value={selected} onInput={(event) => choose(within(event.currentTarget.value, last))} /></label>
          <button type="button" disabled={selected >= last} onClick={() => choose(selected + 1)}>Later</button>
        </div>
      </div>
      <p class="says" aria-live="polite">{summary(row)}</p>
      <div class="tabs" role="tablist" aria-label="Parts of the iteration" onKeyDown={(event) => moveTab(event, tab, show)}>
        {TABS.map((name) => (
          <button type="button" role="tab" id={`tab-${name}`} aria-selected={tab === name} aria-controls="tab-panel" tabIndex={tab === name ? 0 : -1} onClick={() => show(name)}>{name}</button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}><Part tab={tab} row={row} detail={detail} /></div>
    </section>
  )
}

function moveTab(event: KeyboardEvent, tab: Tab, show: (tab: Tab) => void): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  const next = by === undefined ? undefined : TABS.at((TABS.indexOf(tab) + by) % TABS.length)
  if (next === undefined) return
  show(next)
  document.getElementById(`tab-${next}`)?.focus()
}

function within(value: string, last: number): number {
  const number = Math.trunc(Number(value))
  return Number.isFinite(number) ? Math.min(last, Math.max(0, number)) : 0
}

/** Undefined while it is on its way. Asked for again when the row has more to tell. */
function useDetail(detailOf: DetailOf, row: Row | undefined): Detail | null | undefined {
  const [got, put] = useState<{ key: string; detail: Detail | null } | null>(null)
  const key = `${row?.iteration}:${row?.seq}`
  useEffect(() => {
    let isWanted = true
    if (row) void Promise.resolve(detailOf(row.iteration)).then((detail) => isWanted && put({ key, detail }), () => isWanted && put({ key, detail: null }))
    return () => {
      isWanted = false
    }
  }, [key])
  return got?.key.split(':')[0] === String(row?.iteration) ? got?.detail : undefined
}

function summary({ iteration, check, reverted, takenBack, changed, steps }: Row): string {
  const time = steps.reduce((sum, { done }) => sum + (done?.spent.seconds ?? 0), 0)
  const judged = check ? checkText(check) : 'not checked'
  const kept = takenBack === 'all' ? ' · taken back' : reverted === null ? '' : ` · taken back to ${placeName(reverted)}`
  return `${placeName(iteration)} · ${judged}${kept}${changed ? ` · ${changed}` : ''} · ${duration(time)}`
}

function Part({ tab, row, detail }: { tab: Tab; row: Row; detail: Detail | null | undefined }) {
  if (tab === 'Decision') return <Decisions steps={row.steps} />
  if (tab === 'Events') return <pre>{row.lines.map(({ seq, at, text }) => `${String(seq).padStart(5)}  ${new Date(at).toLocaleTimeString()}  ${text}\n`).join('')}</pre>
  if (detail === undefined) return <p class="empty">Loading…</p>
  if (detail === null) return <p class="empty">Not in this file, to keep it small. <code>greenlatch diff --iter {row.iteration}</code> and <code>greenlatch logs --iter {row.iteration}</code> show it.</p>
  if (tab === 'Change') return detail.diff ? <Diff {...detail.diff} /> : <p class="empty">Nothing was changed.</p>
  return <Files files={filesFor(tab, row.steps, detail.files)} />
}

function Decisions({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="decisions">
      {steps.map(({ phase, role, done, decision }) => (
        <li>
          <p><strong>{phase}</strong>{role && ` by ${role}`} · {done ? `${done.verdict} in ${duration(done.spent.seconds)}` : 'open'}{done?.note && `: ${done.note}`}</p>
          {decision && <p class="decision">→ {decision.to} <span class="cause">by {decision.cause}</span>: {decision.why}</p>}
        </li>
      ))}
    </ol>
  )
}

/** A step's own files: what it was asked with, and what came of it. */
function filesFor(tab: Tab, steps: readonly Step[], files: Detail['files']): [string, Text][] {
  const paths = steps.flatMap(({ kind, prompt, files: left }) => {
    if (tab === 'Prompt') return prompt ? [prompt.path] : []
    return (tab === 'Gates') === (kind === 'check') ? left.map(({ path }) => path) : []
  })
  return [...new Set(paths)].flatMap((path) => (files[path] ? [[path, files[path]] as [string, Text]] : []))
}

function Files({ files }: { files: [string, Text][] }) {
  if (files.length === 0) return <p class="empty">There is nothing of the kind here.</p>
  return (
    <>
      {files.map(([path, { text, cut }]) => (
        <details open={files.length === 1}>
          <summary><code>{path}</code></summary>
          <pre>{text}{cut && '\n… the rest is in the session’s folder'}</pre>
        </details>
      ))}
    </>
  )
}

const MOST_DIFF_LINES = 4000

function Diff({ text, cut }: Text) {
  const lines = text.split('\n')
  return (
    <pre class="diff">
      {lines.slice(0, MOST_DIFF_LINES).map((line) => <span class={diffClass(line)}>{line}{'\n'}</span>)}
      {(cut || lines.length > MOST_DIFF_LINES) && '… the rest is shown by greenlatch diff'}
    </pre>
  )
}

function diffClass(line: string): string | undefined {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('diff ')) return 'file'
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : undefined
}
