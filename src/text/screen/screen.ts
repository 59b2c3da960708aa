// A running session on one screen: what fails, what is tried, what it does now, and what would end it.
import { duration } from '../amounts.js'
import { budgetShares } from '../budget-shares.js'
import { sanitise } from '../sanitise.js'
import { readMark, type Row, type View } from '../view/view.js'
import { fitLine, spread, widthOf, type ScreenLine, type Span, type Tone } from './fit.js'
import { signsOf, type Signs } from './signs.js'

export type Size = { columns: number; rows: number }

export type Model = {
  /** With the last rows at least; the screen shows no more than fit. */
  view: View
  task: string
  state: string
  /** Milliseconds, as the records tell time. */
  now: number
  /** When the process that runs it took it up, where that is known: what lies before was time away. */
  begunAt: number
  /** What the agent or the gate at hand does, as far as it says, and when it was last heard of; null where nobody listens. */
  doing: { text: string; at: number } | null
  /** Seconds that each phase usually takes; none for a phase that is new. */
  usual: Readonly<Record<string, number>>
  /** The newest lines of what happened, the last at the end. */
  tail: readonly string[]
  /** Shown in place of what happened until it is closed: its name, its lines, and which of them is on top. */
  panel: { name: string; lines: readonly string[]; top: number } | null
  /** Keys and what they do, or the line that is being written; empty where no keys are heard. */
  keys: string
  /** Said about a key that was pressed; empty for nothing. */
  said: string
}

const LEAST_COLUMNS = 20
const FEW_ROWS = 16
const LEAST_PANEL_ROWS = 7

/** As many lines as there are rows, none wider than the columns. */
export function screenOf(model: Model, { columns, rows }: Size, { unicode }: { unicode: boolean }): ScreenLine[] {
  const width = Math.max(LEAST_COLUMNS, columns)
  const signs = signsOf(unicode)
  const upper = [
    headLine(model, width, signs),
    named('task', firstLine(model.task) || 'none given'),
    named('failing', ...failingSpans(model, width, signs)),
    ...ladderLines(model, width, signs).slice(0, rows < FEW_ROWS ? 1 : 2),
    named('phases', ...phaseSpans(model, signs)),
    named('last', ...lastSpans(model, signs)),
    named('now', ...nowSpans(model, signs)),
    named('budget', ...budgetSpans(model, signs)),
  ]
  const lower = [model.said, ...brokenAt(' · ', model.keys, width)].filter((line) => line !== '').map((text) => [{ text, tone: 'faint' as const }])
  // What was asked for is seen, if it takes the place of the rest.
  const above = upper.slice(0, Math.max(1, rows - lower.length - (model.panel ? LEAST_PANEL_ROWS : 0)))
  const room = Math.max(0, rows - above.length - lower.length)
  const lines = [...above, ...middle(model, room, width, signs), ...lower].slice(0, rows)
  return lines.map((line) => fitLine(line.map((span) => ({ ...span, text: clean(span.text, signs) })), width, signs.more))
}

/** Nothing of foreign text may move anything: no control, no tab, no sign that only changes how wide another one is. */
function clean(text: string, { shown }: Signs): string {
  return shown(sanitise(text).replaceAll(/[\n\t]/g, ' ').replaceAll(/[\uFE00-\uFE0F]/g, ''))
}

function middle({ tail: told, panel }: Model, room: number, width: number, { rule, dot }: Signs): ScreenLine[] {
  if (room === 0) return []
  const title = panel ? `${rule}${rule} ${panel.name}${placeIn(panel, room - 1)} ${dot} arrows move it, Esc closes it ` : ''
  // While there is room nothing is cut.
  const whole = told.flatMap((text) => brokenAt(` ${dot} `, text, width))
  const tail = whole.length < room ? whole : told
  const all = panel ? panel.lines.slice(panel.top, panel.top + room - 1) : tail.slice(Math.max(0, tail.length - room + 1))
  const blank = Array.from({ length: room - 1 - all.length }, () => [])
  const head: Span = { text: `${title}${rule.repeat(Math.max(0, width - widthOf(title)))}`, tone: 'faint' }
  return [[head], ...all.map((text) => (panel ? [{ text }] : tailLine(text))), ...blank]
}

/** Which of its lines are seen, where not all are. */
function placeIn({ lines, top }: NonNullable<Model['panel']>, room: number): string {
  const last = Math.min(lines.length, top + room)
  return top === 0 && last === lines.length ? '' : `, lines ${top + 1} to ${last} of ${lines.length}`
}

/** In two lines where one is too narrow for it. */
function brokenAt(sign: string, text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text]
  const place = text.lastIndexOf(sign, width)
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + sign.length)]
}

/** The one word that is worth a colour. */
function tailLine(text: string): ScreenLine {
  const found = /REVERTED to \S+|\bbest\b|^CONVERGED|^STALLED|^WAITING/.exec(text)
  if (!found) return [{ text }]
  const tone = found[0].startsWith('REVERTED') || found[0] === 'STALLED' ? 'bad' : found[0] === 'WAITING' ? 'careful' : 'good'
  return [{ text: text.slice(0, found.index) }, { text: found[0], tone }, { text: text.slice(found.index + found[0].length) }]
}

function named(name: string, ...rest: (Span | string)[]): ScreenLine {
  return [{ text: `${name.padEnd(8)} `, tone: 'faint' }, ...rest.map((part) => (typeof part === 'string' ? { text: part } : part))]
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

/** At work until now, the phase at hand included. */
function activeSeconds({ view: { head }, now, begunAt }: Model): number {
  return head.spent.seconds + (head.open ? Math.max(0, now - Math.max(head.open.since, begunAt)) / 1000 : 0)
}

function headLine(model: Model, width: number, { dot, more }: Signs): ScreenLine {
  const { view: { head }, state } = model
  const elapsed = clock(activeSeconds(model))
  const left = [{ text: `greenlatch ${dot} ${head.procedure} ${dot} ` }, { text: state.toUpperCase(), tone: toneOf(state) }]
  // The state is what is looked for first; where there is little room, the name gives way to it.
  const right = width < 64 ? elapsed : `${head.id}  ${elapsed}`
  return spread(left, right, width, more)
}

function toneOf(state: string): Tone {
  if (state === 'converged' || state === 'completed') return 'good'
  if (state === 'running') return 'strong'
  return ['stalled', 'failed', 'refused', 'exhausted', 'interrupted'].includes(state) ? 'bad' : 'careful'
}

/** `12:07`, `1:02:07`. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const pad = (amount: number): string => String(amount).padStart(2, '0')
  const minutes = Math.floor(whole / 60) % 60
  return whole < 3600 ? `${minutes}:${pad(whole % 60)}` : `${Math.floor(whole / 3600)}:${pad(minutes)}:${pad(whole % 60)}`
}

// ───────────────────────────── failing ─────────────────────────────

function failingSpans({ view: { head, rows } }: Model, width: number, { bars, dot }: Signs): Span[] {
  const judged = rows.flatMap(({ check }) => check ?? [])
  const last = judged.at(-1)
  if (!last) return [{ text: 'not checked yet' }]
  const fresh = count(last.marks, 'new') + count(last.marks, 'regressed')
  const flaky = count(last.marks, 'flaky')
  const isAhead = head.best !== null && last.failing < head.best.failing
  const best = isAhead ? 'not proved yet' : head.best ? `best ${head.best.failing} (${placeName(head.best.iteration)})` : ''
  const others = [
    ...(head.baseline === null ? [] : [`baseline ${head.baseline}`]),
    ...(fresh > 0 && judged.length > 1 ? [`${fresh} new`] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
  ].map((text) => ` ${dot} ${text}`).join('')
  const now = `now ${last.failing}`
  const room = width - 11 - now.length - best.length - others.length
  const line = sparkline(judged.map(({ failing }) => failing), Math.max(4, Math.min(40, room)), bars)
  return [{ text: `${line}  ${now}${best && ` ${dot} `}` }, { text: best, ...(!isAhead && { tone: 'good' as const }) }, { text: others }]
}

function count(marks: readonly number[], status: string): number {
  return marks.filter((mark) => readMark(mark).status === status).length
}

function placeName(iteration: number): string {
  return iteration === 0 ? 'start' : String(iteration)
}

/** The newest values, the largest of them as high as can be; only none at all is as low as can be. */
function sparkline(values: readonly number[], most: number, bars: string): string {
  const shown = values.slice(-most)
  const highest = Math.max(1, ...shown)
  return shown.map((value) => bars[Math.ceil((value / highest) * (bars.length - 1))]).join('')
}

// ───────────────────────────── ladder, phases, last ─────────────────────────────

/** All rungs where they fit, else the one in force; below it what leads to the next. */
function ladderLines({ view: { head } }: Model, width: number, { here, arrow, times }: Signs): ScreenLine[] {
  const { ladder, rung, stall } = head
  if (ladder.length === 0) return []
  const mark = `${here} YOU ARE HERE`
  const next = ladder[rung + 1]
  const names = ['no rung', ...ladder.map(({ name }) => name)]
  const all = names.map((name, place) => (place === rung + 1 ? `${mark}: ${name}` : name)).join(` ${arrow} `)
  const where = rung < 0 ? `no rung of ${ladder.length} in force` : `rung ${rung + 1} of ${ladder.length}: ${ladder[rung]?.name}`
  const shown = widthOf(all) <= width - 9 ? all : `${mark}: ${where}`
  const [before, after = ''] = shown.split(mark)
  const so = stall > 1 ? `no better ${times}${stall}` : 'not stalled'
  const coming = next ? `no better ${times}${next.at} ${arrow} ${next.name}` : 'this is the last rung'
  return [named('ladder', `${before}`, { text: mark, tone: 'strong' }, after), named('', `${so}; ${coming}`)]
}

function phaseSpans({ view: { rows, head }, now, begunAt, usual }: Model, { dot, here }: Signs): Span[] {
  const row = rows.at(-1)
  if (!row) return [{ text: 'none yet' }]
  const steps = row.steps.slice(-4).map(({ phase, done, startedAt }, place, shown): Span => {
    if (done) return { text: ` ${dot} ${phase} ${duration(done.spent.seconds)}` }
    // One that was cut off was begun again after it, or nobody runs it.
    if (place < shown.length - 1 || !head.open) return { text: ` ${dot} ${phase} cut off` }
    const seconds = (now - Math.max(startedAt, begunAt)) / 1000
    const usually = usual[phase]
    const isLong = usually !== undefined && seconds > 2 * usually && seconds > 10
    const text = ` ${dot} ${here} ${phase} ${clock(seconds)}${usually === undefined ? '' : ` (usually ${clock(usually)})`}`
    return { text, ...(isLong && { tone: 'careful' as const }) }
  })
  const most = head.budget.iterations ? ` of ${head.budget.iterations}` : ''
  return [{ text: row.iteration === 0 ? 'before the first iteration' : `iteration ${row.iteration}${most}` }, ...steps]
}

function lastSpans({ view: { rows } }: Model, { arrow }: Signs): Span[] {
  const place = rows.findLastIndex(({ check, iteration }) => check !== null && iteration > 0)
  const last = rows[place]
  if (!last?.check) return [{ text: 'no iteration is finished yet' }]
  const before = rows.slice(0, place).findLast(({ check }) => check !== null)?.check?.failing
  const failing = before === undefined || before === last.check.failing ? '' : `${before}${arrow}`
  const kept: Span = last.reverted === null ? { text: 'kept' } : { text: `REVERTED to ${placeName(last.reverted)}`, tone: 'bad' }
  const best: Span[] = last.check.better && last.reverted === null ? [{ text: ', ' }, { text: 'best', tone: 'good' }] : []
  return [{ text: `iteration ${last.iteration} ` }, kept, ...best, { text: `: ${failing}${last.check.failing} failing${whyOf(last)}` }]
}

function whyOf({ steps }: Row): string {
  const decision = steps.findLast(({ decision: made }) => made !== null)?.decision
  return decision && decision.cause !== 'route' ? `, ${decision.why}` : ''
}

const SILENCE_SECONDS = 5

function nowSpans({ view: { head }, doing, now, usual }: Model, { dot }: Signs): Span[] {
  if (!head.open) return [{ text: head.finish ? `${head.finish.outcome}: ${head.finish.why}` : 'nothing' }]
  const { phase, since } = head.open
  const at = { text: `${phase}${doing?.text ? `: ${firstLine(doing.text)}` : ''}` }
  if (!doing) return [at]
  const silent = (now - Math.max(doing.at, since)) / 1000
  if (silent < SILENCE_SECONDS) return [at]
  // Silence is said first: it must not be what is cut.
  const tone = silent > Math.max(60, usual[phase] ?? 0) ? ('careful' as const) : undefined
  return [{ text: `no output for ${clock(silent)}`, ...(tone && { tone }) }, { text: ` ${dot} ${at.text}` }]
}

// ───────────────────────────── budgets ─────────────────────────────

/** The one that will end it first, at this pace, comes first and is marked. */
function budgetSpans(model: Model, { dot, here }: Signs): Span[] {
  const { head } = model.view
  const [first, ...others] = budgetShares(head.budget, { ...head.spent, seconds: activeSeconds(model), iterations: head.iteration })
  if (!first) return [{ text: 'none: it ends only by its checks, its ladder or you' }]
  const marked = `${here} ${first.text} (${Math.round(100 * first.share)} %, ends first)`
  return [{ text: marked, tone: first.share >= 0.8 ? 'bad' : 'careful' }, { text: others.map(({ text }) => ` ${dot} ${text}`).join('') }]
}
