// `report`: how a session ended and what shows it: for people as text, Markdown or a page, for programs as JSON, JUnit XML or SARIF.
import { join, resolve } from 'node:path'
import { openJournal } from '../../adapters/journal/files.js'
import { artifactsOf } from '../../adapters/reporters/artifacts.js'
import { EXIT, Refusal } from '../../errors.js'
import { redact } from '../../process/secrets.js'
import { sanitise } from '../../text/sanitise.js'
import { refuseAgents } from '../at-rest.js'
import { fold, readEntry, sessionIds } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import { openInBrowser } from '../open-browser.js'
import type { Call } from '../program.js'
import { FORMS, freeFile, textIn, typedAs, wantedIn, type FormFlags, type Source, type Wanted } from '../report/forms.js'
import { standOf } from '../stand.js'
import { refuseTaken, writeOut, type OutFile } from '../write-out.js'
import { writtenText } from '../written.js'

type Flags = FormFlags & { open?: boolean }

export default async function report({ args, flags, version }: Call<Flags>): Promise<number> {
  const wanted = wantedIn(flags)
  if (flags.open) refuseUnshown(wanted)
  const context = await openSessions(flags)
  refuseMistaken(context, wanted)
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  if (Object.values(entry.session.when).includes('sealed')) refuseAgents('read what a check says that is kept back from it')
  const journal = openJournal({ folder: entry.folder, fold, clock: systemClock, writable: false })
  const source = { entry, journal, version }
  if (flags.open) return openPage(context, source, { args, wanted })
  if (wanted.length === 0) return tell(context, source)
  if (wanted.some(({ form, to }) => form === 'html' && to === null) && process.stdout.isTTY) throw forNoTerminal(entry.id)
  return hand(context, source, { args, wanted })
}

function refuseUnshown(wanted: readonly Wanted[]): void {
  const other = wanted.find(({ form }) => form !== 'html')
  if (other) throw new Refusal(EXIT.usage, `--open shows a page, and --${other.form} is none`, 'greenlatch report --open')
}

/** `--html <session>` would leave a file of that name in the user's repository, with the page of another session in it. */
function refuseMistaken({ store, cwd }: Context, wanted: readonly Wanted[]): void {
  const mistaken = wanted.find(({ to }) => to !== null && sessionIds(store).includes(to))
  if (!mistaken) return
  const { form, to } = mistaken
  throw new Refusal(EXIT.usage, `--${form} is followed by a file, and ${to} is a session`, `greenlatch report ${to} --${form} ${freeFile(form, cwd)}`)
}

function forNoTerminal(id: string): Refusal {
  return new Refusal(EXIT.usage, 'a page is nothing for a terminal; --html <file> keeps it, --open shows it', `greenlatch report ${id} --open`)
}

async function tell({ output }: Context, { entry, journal }: Source): Promise<number> {
  const { completion_reasons: reasons } = await artifactsOf(journal.records())
  if (output.format !== 'text') output.json(reasons)
  else output.data(sanitise(await (await import('../report/summary.js')).summary(entry, reasons, await standOf(entry))))
  return EXIT.ok
}

type Typed = { args: readonly string[]; wanted: readonly Wanted[] }

/** Nothing is written before all of it can be. */
async function hand(context: Context, source: Source, typed: Typed): Promise<number> {
  const files: OutFile[] = []
  let out: string | null = null
  for (const one of typed.wanted) {
    const text = await textIn(one.form, source, context)
    if (one.to === null) out = text
    else files.push(fileOf(one, text, { context, typed }))
  }
  files.forEach(refuseTaken)
  files.forEach(writeOut)
  if (files.length > 0) context.output.say(await writtenText(files.map(({ path }) => path)))
  if (out !== null) await printed(out)
  return EXIT.ok
}

function fileOf({ form, to }: Wanted, text: string, { context: { cwd }, typed: { args, wanted } }: { context: Context; typed: Typed }): OutFile {
  const next = (): string => typedAs(args, wanted.map((one) => (one.form === form ? { form, to: freeFile(form, cwd) } : one)))
  return { path: resolve(cwd, to ?? ''), text, head: FORMS[form].head, next: next() }
}

/** Beside the session's other files, where nothing of the user's is touched, unless another place is named. */
async function openPage(context: Context, source: Source, { args, wanted: [named] }: Typed): Promise<number> {
  const to = named?.to ?? join(source.entry.folder, 'report.html')
  const wanted: Wanted = { form: 'html', to }
  const file = fileOf(wanted, await textIn('html', source, context), { context, typed: { args, wanted: [wanted] } })
  writeOut({ ...file, next: `${file.next} --open` })
  context.output.say(await writtenText([file.path]))
  await openInBrowser(file.path, context.output.say)
  return EXIT.ok
}

/** Waited for, since a pipe may take it slowly. */
async function printed(text: string): Promise<number> {
  await new Promise<void>((done) => void process.stdout.write(redact(text), () => done()))
  return EXIT.ok
}
