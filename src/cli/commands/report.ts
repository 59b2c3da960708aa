// `report`: how a session ended and what shows it: for people as text, Markdown or a page, for programs as JSON, JUnit XML or SARIF.
import { join, resolve } from 'node:path'
import { openJournal } from '../../adapters/journal/files.js'
import { artifactsOf } from '../../adapters/reporters/artifacts.js'
import { EXIT, Refusal } from '../../errors.js'
import { redact } from '../../process/secrets.js'
import type { Journal } from '../../ports.js'
import { sanitise } from '../../text/sanitise.js'
import { refuseAgents } from '../at-rest.js'
import { fold, readEntry, sessionIds, type Entry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import { openInBrowser } from '../open-browser.js'
import type { Call } from '../program.js'
import { standOf } from '../stand.js'
import { writeOut } from '../write-out.js'
import { writtenText } from '../written.js'

const FORMS = ['html', 'md', 'junit', 'sarif'] as const

/** As everywhere: a file of this name is `./-`. */
const STANDARD_OUTPUT = '-'

type Form = (typeof FORMS)[number]

type Flags = Partial<Record<Form, string | true>> & { open?: boolean }

type Source = { entry: Entry; journal: Journal; version: string }

export default async function report({ args, flags, version }: Call<Flags>): Promise<number> {
  const form = formOf(flags)
  const context = await openSessions(flags)
  refuseMistaken(context, form, form === null ? undefined : flags[form])
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  if (Object.values(entry.session.when).includes('sealed')) refuseAgents('read what a check says that is kept back from it')
  const journal = openJournal({ folder: entry.folder, fold, clock: systemClock, writable: false })
  const source = { entry, journal, version }
  if (flags.open) return openPage(context, source, flags.html)
  if (form === null) return tell(context, source)
  if ((flags.html === true || flags.html === STANDARD_OUTPUT) && process.stdout.isTTY) throw forNoTerminal(entry.id)
  const file = flags[form] === STANDARD_OUTPUT ? true : flags[form]
  const text = await textIn(form, source, context)
  if (file === true || file === undefined) return printed(text)
  const path = resolve(context.cwd, file)
  writeOut(path, text, `greenlatch report --${form} <another file>`)
  context.output.say(await writtenText(path))
  return EXIT.ok
}

function formOf(flags: Flags): Form | null {
  const [form, other] = FORMS.filter((name) => flags[name] !== undefined)
  if (form !== undefined && other !== undefined) throw new Refusal(EXIT.usage, `--${form} and --${other} do not go together`, `greenlatch report --${form}`)
  if (flags.open && form !== undefined && form !== 'html') throw new Refusal(EXIT.usage, `--open shows a page, and --${form} is none`, 'greenlatch report --open')
  if (flags.open && flags.html === STANDARD_OUTPUT) throw new Refusal(EXIT.usage, '--open shows a file, and standard output is none', 'greenlatch report --open')
  return form ?? null
}

/** `--html <session>` would leave a file of that name in the user's repository, with the page of another session in it. */
function refuseMistaken({ store }: Context, form: Form | null, file: string | true | undefined): void {
  if (typeof file !== 'string' || !sessionIds(store).includes(file)) return
  throw new Refusal(EXIT.usage, `--${form} is followed by a file, and ${file} is a session`, `greenlatch report ${file} --${form} <file>`)
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

async function textIn(form: Form, { entry, journal, version }: Source, { store }: Pick<Context, 'store'>): Promise<string> {
  switch (form) {
    case 'junit':
      return (await import('../report/programs.js')).junitText(entry, journal)
    case 'sarif':
      return (await import('../report/programs.js')).sarifText(entry, journal, version)
    case 'md':
      return (await import('../report/markdown.js')).markdownText(store, entry)
    case 'html':
      return (await import('../report/page.js')).reportPage(store, entry, version)
  }
}

/** Beside the session's other files, where nothing of the user's is touched, unless another place is named. */
async function openPage(context: Context, source: Source, named: string | true | undefined): Promise<number> {
  const path = typeof named === 'string' ? resolve(context.cwd, named) : join(source.entry.folder, 'report.html')
  writeOut(path, await textIn('html', source, context), 'greenlatch report --html <another file>')
  context.output.say(await writtenText(path))
  await openInBrowser(path, context.output.say)
  return EXIT.ok
}

/** Waited for, since a pipe may take it slowly. */
async function printed(text: string): Promise<number> {
  await new Promise<void>((done) => void process.stdout.write(redact(text), () => done()))
  return EXIT.ok
}
