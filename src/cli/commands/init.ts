// `init`: looks at what is there, asks two questions at most, and writes greenlatch.yaml; with a name it makes a new project. It runs nothing.
import { lstatSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { printable, stateRefusal } from '../../files/durable.js'
import { defaultBranch } from '../../git/default-branch.js'
import { quoteWord } from '../../text/prompt/quote.js'
import type { Found, Repository } from '../../text/project/folder.js'
import { proposalFor, type Proposal } from '../../text/project/proposal.js'
import { settingsText, type Choice, type Template } from '../../text/project/settings-text.js'
import { openSessions, type Context, type GlobalFlags } from '../context.js'
import { detectAgents, type Detected } from '../detect-agents.js'
import { agentBy, gatesBy, templateOf, type InitFlags } from '../init/choose.js'
import { lookAt } from '../init/look.js'
import { folderFor, makeProject, projectFiles } from '../init/new-project.js'
import { foundText, nextText } from '../init/words.js'
import { PROJECT_PHILOSOPHY, PROJECT_TASK } from '../project.js'
import { trustWritten } from '../trust.js'
import type { Call } from '../program.js'

const SETTINGS = 'greenlatch.yaml'
const NOTHING: Repository = { files: [], texts: {} }
const INSTALLED_SCHEMA = 'node_modules/greenlatch/dist/greenlatch.schema.json'

/** What was decided, and where it goes. `branch`: null where there is no git. */
type Written = { folder: string; branch: string | null; proposal: Proposal; detected: Detected[]; choice: Choice; text: string }

export default async function init({ args: [name], flags, version }: Call<InitFlags>): Promise<number> {
  const context = await openSessions(withoutStrange(flags))
  const typed = `greenlatch init${name === undefined ? '' : ` ${quoteWord(name)}`}`
  const template = templateOf(flags.template, name === undefined ? 'converge' : 'tdd', typed)
  const folder = name === undefined ? context.config.root : folderFor(name, context.cwd)
  if (name === undefined) refuseOccupied(folder, flags)
  const written = await decide({ folder, name, template, version, again: flags.template === undefined ? typed : `${typed} --template ${template}` }, flags, context)
  const branch = flags.dryRun ? written.branch : await write(written, name)
  return tell({ ...written, branch }, flags, context, name)
}

type Aim = { folder: string; name: string | undefined; template: Template; version: string; again: string }

async function decide({ folder, name, template, version, again }: Aim, flags: InitFlags & GlobalFlags, context: Context): Promise<Written> {
  const repository = name === undefined ? lookAt(folder) : NOTHING
  const proposal = proposalFor(repository)
  const [detected, branch] = [await detectAgents(context.config.values.sandbox), name === undefined ? await defaultBranch(folder) : 'main']
  if (context.output.format === 'text' && name === undefined) context.output.say(foundText(proposal, detected, branch))
  const asking = { mayAsk: context.mayAsk, yes: context.yes, again }
  const gates = await gatesBy(flags, template, proposal, asking)
  const agent = await agentBy(flags, context, detected, asking)
  const choice: Choice = {
    template, agent, gates,
    perhaps: perhapsOf(proposal),
    schema: repository.files.includes(INSTALLED_SCHEMA) ? INSTALLED_SCHEMA : schemaAddress(version),
    hasSource: repository.files.some((path) => path.startsWith('src/')),
    files: name === undefined ? null : { task: PROJECT_TASK, philosophy: PROJECT_PHILOSOPHY },
  }
  return { folder, branch, proposal, detected, choice, text: settingsText(choice) }
}

/** Where the package is published, its schema is, too. */
function schemaAddress(version: string): string {
  return `https://unpkg.com/greenlatch@${version.split('.').slice(0, 2).join('.')}/dist/greenlatch.schema.json`
}

function perhapsOf({ lint, types }: Proposal): Choice['perhaps'] {
  const numbered = (name: string, all: readonly Found[]): Choice['perhaps'] => all.map((found, at) => ({ name: at === 0 ? name : `${name}-${at + 1}`, found }))
  return [...numbered('lint', lint), ...numbered('types', types)]
}

// ───────────────────────────── writing ─────────────────────────────

/** A file of the settings that cannot be used is no reason not to look at what would be written. */
function withoutStrange<Flags extends GlobalFlags>(flags: Flags): Flags {
  if (flags.config !== undefined) throw new Refusal(EXIT.usage, `--config has no meaning here: what is written is ${SETTINGS}`, 'greenlatch init')
  return flags
}

function refuseOccupied(root: string, { dryRun }: InitFlags): void {
  if (!dryRun && lstatSync(join(root, SETTINGS), { throwIfNoEntry: false })) throw occupied(root)
  if (realpathSync(root) !== realpathSync(homedir()) && root !== '/') return
  const what = `the settings would be written to ${printable(root)}, and would hold for all that is below it; git init in the folder that is meant makes that one the place`
  throw new Refusal(EXIT.usage, what, 'greenlatch init <name>')
}

function occupied(root: string): Refusal {
  return new Refusal(EXIT.usage, `${printable(join(root, SETTINGS))} is there already, and is never written over; init --dry-run shows what would be written`, 'greenlatch init --dry-run')
}

/** Returns the branch that is there then. */
async function write({ folder, branch: before, text }: Written, name: string | undefined): Promise<string | null> {
  const branch = name === undefined ? before : await makeProject(folder, projectFiles(text))
  if (name === undefined) writeSettings(folder, text)
  // Whoever typed this command is shown what it wrote.
  await trustWritten(folder).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, `${printable(join(folder, SETTINGS))} is written, and not yet trusted: ${error.message}`, 'greenlatch trust grant')
  })
  return branch
}

function writeSettings(folder: string, text: string): void {
  const file = join(folder, SETTINGS)
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? occupied(folder) : stateRefusal(error, file, 'greenlatch init -C <folder>')
  }
}

function tell({ folder, branch, proposal, detected, choice, text }: Written, { dryRun }: InitFlags, { output, cwd }: Context, name: string | undefined): number {
  const file = join(folder, SETTINGS)
  const next = nextText(choice, name === undefined ? '' : relative(cwd, folder))
  if (output.format !== 'text') {
    const agents = detected.filter(({ program }) => program !== null).map(({ name: agent, login }) => ({ name: agent, login }))
    const { template, agent, gates } = choice
    output.json({ file, written: !dryRun, text, template, agent, gates, branch, found: proposal, agents, next: next.map(([command]) => command) })
    return 0
  }
  output.data(text)
  output.say(dryRun ? `nothing was written; without --dry-run this would be ${printable(file)}` : `written: ${printable(file)}${name === undefined ? '' : `, ${PROJECT_TASK}, ${PROJECT_PHILOSOPHY}, and a first commit`}`)
  if (!dryRun) output.say(next.map(([command, why], at) => `${at === 0 ? 'next: ' : '      '}${command.padEnd(38)} ${why}`.trimEnd()).join('\n'))
  return 0
}
