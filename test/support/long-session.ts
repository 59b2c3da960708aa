// A session of as many iterations as wanted: begun by the real program, gone on with by the real engine and journal, with made-up reports.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createJournal, openJournal } from '../../src/adapters/journal/files.js'
import { apply, emptyReport, FOLD_VERSION, issue, step, type Effect, type Event, type Failure, type Report, type Session } from '../../src/core/index.js'
import type { Journal } from '../../src/ports.js'
import { acquireLock } from '../../src/shell/lock.js'
import { makeWorkshop, type Workshop } from './repositories.js'

const MOST_LISTED = 40

const fold = { version: FOLD_VERSION, apply }

/** What would end a page or begin a script, turn text around, or be taken for markup. */
const HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)> \u202Edesrever\u202C \u001B]52;c;YQ==\u0007 <!-- ]]>'

export async function sessionOf(iterations: number): Promise<Workshop & { id: string }> {
  const shop = makeWorkshop({ 'a.txt': 'one\n', 'test.sh': 'exit 1\n' })
  const agent = shop.scripted([{ say: `${HOSTILE}\nI changed it.`, write: { 'a.txt': `one\n${HOSTILE}\n` }, tokens: 1200 }], 'repeat')
  await shop.run(['run', 'converge', `make ${HOSTILE} pass`, '--agent', agent, '--gate', 'sh test.sh', '--max-iterations', '1', '--max-tokens', '90000000'])
  const folder = shop.session()
  const id = folder.split('/').at(-1) ?? ''
  if (iterations > 1) await lengthen(folder, iterations)
  return { ...shop, id }
}

async function lengthen(folder: string, iterations: number): Promise<void> {
  const journal = openJournal({ ...OPTIONS, folder, writable: true })
  const { session } = await journal.load()
  const growth = growthOf(journal, session)
  growth.append([{ type: 'extended', budget: { iterations } }])
  while (growth.turn()) continue
  journal.settle()
  journal.close()
}

const OPTIONS = { fold, clock: { now: () => Date.now(), seconds: () => 0 } }

/** `turn` writes one record; false when nothing more is to be done. */
type Growth = { append(events: readonly Event[]): void; turn(): boolean; last(): number }

function growthOf(journal: Journal, opened: Session): Growth {
  let session = opened
  let last = 0
  const append = (events: readonly Event[]): void => {
    session = events.reduce<Session>((so, event) => apply(so, event), session)
    last = journal.append(events, session).seq
  }
  return {
    append,
    last: () => last,
    turn() {
      const effect = session.outstanding
      if (!effect && session.finish) return false
      const told = effect ? step(session, { ...emptyReport(effect), ...reportOn(effect, session) }) : []
      append([...told, ...asked(told.reduce<Session>((so, event) => apply(so, event), session))])
      return session.outstanding !== null
    },
  }
}

/** Sessions like this one beside it, each held by this process as one that runs; `turn` writes a record to one of them. */
export async function runningBeside({ session: folderOf }: Workshop, count: number): Promise<(Growth & { id: string })[]> {
  const store = dirname(folderOf())
  const template = openJournal({ ...OPTIONS, folder: folderOf(), writable: false })
  let opened: Event | undefined
  for await (const { events } of template.records()) opened ??= events[0]
  if (opened?.type !== 'opened') throw new Error('no session to copy')
  const all: (Growth & { id: string })[] = []
  for (let n = 0; n < count; n++) {
    const id = `20260206-1000${String(n).padStart(2, '0')}-abcde`
    const folder = join(store, id)
    mkdirSync(folder, { mode: 0o700 })
    // First, since it fences off whoever wrote before.
    const lock = await acquireLock(folder)
    if (lock.kind !== 'lock') throw new Error('it is held already')
    const { journal, loaded } = createJournal({ ...OPTIONS, folder }, { ...opened, id, procedure: { ...opened.procedure, budget: { iterations: 100 } } })
    onTestFinished(async () => {
      journal.close()
      await lock.release()
    })
    all.push({ id, ...growthOf(journal, loaded.session) })
  }
  return all
}

function asked(session: Session): Event[] {
  const effect = session.outstanding ? null : issue(session)
  return effect ? [{ type: 'asked', effect, prompt: null }] : []
}

/** One failure less every fourth turn, so that no stall ends it; which of them fail differs from turn to turn. */
function reportOn(effect: Effect, { start }: Session): Partial<Report> {
  const spent = { seconds: 1 + (effect.iteration % 7), tokens: 900, usd: 0.01 }
  const endedAt = Date.now()
  if (effect.kind !== 'check') return { tree: start, spent, endedAt, changed: `a.txt +${effect.iteration}`, diffLines: effect.iteration % 90 }
  const failing = 520 - Math.floor(effect.iteration / 4)
  const failures = Array.from({ length: Math.min(failing, MOST_LISTED) }, (_, n) => failureOf(n + (effect.iteration % 3)))
  const more = failing - failures.length
  const gates = effect.gates.map((gate) => ({ gate, exit: 'fail' as const, complete: true, known: true, missing: 0, more, seconds: 1, note: '' }))
  return { verdict: 'fail', gates, failures: failures.map((failure) => ({ ...failure, gate: effect.gates[0] ?? '' })), spent, endedAt }
}

function failureOf(n: number): Failure {
  const subject = `suite ${n % 5} › case ${n} ${n === 0 ? HOSTILE : ''}`
  return { gate: '', subject, class: 'behaviour', fingerprint: `1:${n}`, message: `expected ${n}, got ${n + 1}`, runs: { failed: 1, of: 1 } }
}
