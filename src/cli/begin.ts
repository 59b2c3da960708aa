// What `run` and `open` have in common: from the command line to a plan that may begin.
import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { makeFolder, printable } from '../files/durable.js'
import { redact } from '../process/secrets.js'
import { insideGreenlatch } from '../process/environment.js'
import { acquireLock } from '../shell/lock.js'
import { withoutPlaces } from './carried.js'
import { readEntries, type Entry } from './catalogue.js'
import { MENDED, NOBODY_ELSE } from './known-agents.js'
import { openContext, workingFolder, type Context, type GlobalFlags } from './context.js'
import { layerOf, type BoundFlags, type TaskFlags } from './flags.js'
import { didYouMean } from './meant.js'
import { obstacleIn } from './minimise.js'
import { refuseNul } from './nul.js'
import { chooseProfile } from './profiles.js'
import { philosophyFor, placed, PROJECT_TASK, TASK_TEMPLATE, taskFile } from './project.js'
import { makePlan, type Plan } from './setup.js'
import { requireTrust, trustNotice, type TrustFlags } from './trust.js'

export type BeginFlags = TaskFlags & BoundFlags & GlobalFlags & TrustFlags & { dryRun?: boolean }

type Prepared = { context: Context; plan: Plan }

/** `files`: whose settings count; all where it is not said. */
export async function prepare(args: string[], given: BeginFlags, version: string, drive: 'run' | 'step', files?: 'user'): Promise<Prepared> {
  refuseInside()
  const flags = placed(given)
  const cwd = workingFolder(flags.C)
  const context = await withSomeAgent(await openContext(flags, layerOf(flags, cwd), files))
  const plan = await withProfile(makePlan(args, flags, context.config, { cwd, version, drive }), flags, cwd)
  refuseUnusable(plan)
  if (!flags.dryRun) refuseTemplate(plan, flags.task ?? flags.spec ?? taskFile(context.config, flags), cwd)
  const { text: philosophy, warning } = philosophyFor(context.config, flags, plan.procedure)
  if (warning !== undefined) context.output.say(`warning: ${warning}`)
  await settleTrust(context, flags)
  for (const notice of noticesBefore(args, given, plan)) context.output.say(notice)
  return { context, plan: philosophy === undefined ? plan : { ...plan, setup: { ...plan.setup, philosophy } } }
}

/** More than this is no line to be typed again. */
const LONGEST_TYPED = 2000

/** Kept with the session, so that the way to begin it anew can be shown; but no secret is. */
export function asTyped(prepared: Prepared, words: readonly string[]): Prepared {
  const all = withoutPlaces(words)
  const verb = all.findIndex((word) => word === 'run' || word === 'open')
  const typed = all.filter((_, at) => at !== verb)
  const text = typed.join('\n')
  if (text.length > LONGEST_TYPED || redact(text) !== text) return prepared
  const { context, plan } = prepared
  return { context, plan: { ...plan, setup: { ...plan.setup, typed } } }
}

/** What was understood otherwise than it may have been meant. */
function noticesBefore(args: readonly string[], { stateDir, dryRun }: BeginFlags, { task, setup }: Plan): string[] {
  const [only = ''] = args
  const isWord = args.length === 1 && task === only && /^\S+$/.test(only)
  const isElsewhere = stateDir !== undefined && !dryRun
  return [
    ...(isElsewhere ? [`the session is kept in ${printable(stateDir)}: commands that name it want --state-dir too, as those that are printed have it, or GREENLATCH_STATE_HOME`] : []),
    ...(isWord ? [`"${only}" is no procedure, and is taken as the task (greenlatch procedures lists them)`] : []),
    ...(setup.origins['agent'] === NOBODY_ELSE ? [`no agent is configured or found, so the built-in repair agent is asked: it mends small faults in ${MENDED.join(', ')} without a model (greenlatch agents lists the others)`] : []),
  ]
}

/** What `init` wrote says nothing of what is to be made; a dry run may show it all the same. */
function refuseTemplate({ task }: Plan, file: string | undefined, cwd: string): void {
  if (task?.trim() !== TASK_TEMPLATE.trim()) return
  throw new Refusal(EXIT.usage, `the task file ${printable(resolve(cwd, file ?? PROJECT_TASK))} is still the template that init wrote: say in it what is to be made`, 'greenlatch run "<the task>"')
}

/** Nothing has been started until here, and a dry run starts nothing. */
async function settleTrust(context: Context, flags: BeginFlags): Promise<void> {
  if (!flags.dryRun) return requireTrust(context, flags)
  const notice = trustNotice(context.config, flags)
  if (notice !== null) context.output.say(`warning: ${notice}`)
}

/** Where nobody is configured, whoever is installed and logged in. */
async function withSomeAgent(context: Context): Promise<Context> {
  if (Object.keys(context.config.values.agent).length > 0) return context
  const { withDetectedAgent } = await import('./detect-agents.js')
  return { ...context, config: await withDetectedAgent(context.config) }
}

async function withProfile(plan: Plan, flags: TaskFlags, cwd: string): Promise<Plan> {
  const profile = await chooseProfile(flags, { ...plan, cwd })
  return profile === null ? plan : { ...plan, setup: { ...plan.setup, profile } }
}

/** An agent that starts its own loop would spend without any budget of ours seeing it. */
export function refuseInside(): void {
  if (insideGreenlatch(process.env) === null) return
  const what = 'this is being run by a session of greenlatch, and a loop inside a loop is refused'
  throw new Refusal(EXIT.guard, what, 'run it from a shell of your own')
}

/** Throws Refusal for what could only go wrong. */
export function refuseUnusable({ procedure, setup, task }: Plan): void {
  refuseNul({ task, setup })
  if (task !== null && task.trim() === '') throw new Refusal(EXIT.usage, 'the task is empty', 'greenlatch run "<the task>"')
  if ((task ?? '').trim() === '' && livesByTask(procedure)) {
    const what = `procedure "${procedure.name}" needs a task, as words or as a file, and none is given`
    throw new Refusal(EXIT.usage, what, 'greenlatch run --task <file>')
  }
  const unminimised = setup.minimise ? obstacleIn(procedure) : null
  if (unminimised !== null) throw new Refusal(EXIT.usage, `--minimise: ${unminimised}`, 'greenlatch run --help')
  const name = `procedure "${procedure.name}"`
  const unreadable = promptFiles(procedure, setup).find((file) => !isReadable(file))
  if (unreadable !== undefined) {
    throw new Refusal(EXIT.usage, `the prompt needs ${unreadable}, which cannot be read`, 'greenlatch config')
  }
  if (procedure.policies.goal && setup.gates.length === 0) {
    const what = `${name} needs a check to prove its work by, and none is configured`
    throw new Refusal(EXIT.gate, what, 'greenlatch run --gate "<your test command>"')
  }
  const known = setup.gates.map((gate) => gate.name)
  const unknown = Object.values(procedure.phases)
    .flatMap((phase) => (phase.kind === 'check' ? phase.gates : []))
    .find((gate) => gate !== '@configured' && !known.includes(gate))
  const target = procedure.policies.goal?.gates?.find((gate) => !known.includes(gate))
  if (target !== undefined) {
    throw new Refusal(EXIT.usage, `--target: there is no gate "${target}"${didYouMean(target, known)}`, 'greenlatch run --target gate:<name>')
  }
  if (unknown !== undefined) throw new Refusal(EXIT.usage, `${name} checks "${unknown}", and there is no such gate`, 'greenlatch config')
}

/** What plans tests or makes a commit of its own has nothing else to go by; others may begin with what fails. */
function livesByTask({ phases }: Procedure): boolean {
  return Object.values(phases).some((phase) => (phase.kind === 'ask' ? phase.wants === 'tests' : phase.kind === 'workspace' && phase.action === 'commit'))
}

function promptFiles(procedure: Procedure, setup: Plan['setup']): string[] {
  const parts = Object.values(procedure.phases).flatMap((phase) => (phase.kind === 'ask' ? phase.prompt : []))
  return [...parts.flatMap((part) => part.fragments), ...setup.context].flatMap((fragment) => ('file' in fragment ? [fragment.file] : []))
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Keeps a second loop of the same procedure out of this repository until it is released. */
export async function holdProcedure(context: Context, name: string, verb: 'run' | 'resume'): Promise<() => Promise<void>> {
  makeFolder(context.store)
  const lock = await acquireLock(context.store, { name: `procedure-${name}` })
  if (lock.kind === 'lock') return () => lock.release()
  const by = lock.pid === null ? '' : ` (process ${lock.pid})`
  const { entries } = await readEntries(context.store)
  const running = entries.find((entry) => entry.standing === 'running' && entry.session.procedure.name === name)
  const watch = running ? `greenlatch logs -f ${running.id}` : 'greenlatch status'
  const what = `"${name}" is already running in this repository${by}`
  if (verb === 'resume') throw new Refusal(EXIT.locked, what, watch)
  throw new Refusal(EXIT.locked, `${what}; ${watch} shows it`, 'greenlatch run --parallel')
}

/** The newest session of this procedure, when it could be gone on with: older ones were passed over once already. */
export async function unfinished(context: Context, name: string): Promise<Entry | null> {
  const { entries, damaged } = await readEntries(context.store)
  for (const line of damaged) context.output.say(`warning: ${line}`)
  const newest = entries.find((entry) => entry.session.procedure.name === name)
  return newest && newest.standing !== 'finished' && newest.standing !== 'running' ? newest : null
}
