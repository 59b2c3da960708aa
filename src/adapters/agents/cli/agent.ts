// An agent that is a known command line: started headless, watched by its records, believed in nothing but its closing one.
import { dirname, resolve } from 'node:path'
import type { CliEntry, Price } from '../../../agent-entry.js'
import type { Agent, Answer, AskRequest, Sandbox, Usage } from '../../../ports.js'
import { findExecutable } from '../../../process/command-line.js'
import type { ProcessResult } from '../../../process/types.js'
import { counted } from '../../../text/amounts.js'
import { quoteCommand, quoteWord } from '../../../text/prompt/quote.js'
import { redactorWith } from '../../../process/secrets.js'
import { sanitise } from '../../../text/sanitise.js'
import { runForAsk } from '../ask-process.js'
import { reachOfAgent, visible } from '../reach.js'
import { atLeast, NO_USAGE, spendOf, withPrice } from '../usage.js'
import { listen, oneLine, type Heard } from './listen.js'
import type { Dialect } from './types.js'
import { verdictOf } from './verdict.js'

export type CliAgentOptions = { name: string; entry: CliEntry; dialect: Dialect; cwd: string; price?: Price | undefined; inText?: boolean; sandbox: Sandbox; secrets?: readonly string[] }

export function cliAgent({ name, entry, dialect, cwd, price, inText = false, sandbox, secrets = [] }: CliAgentOptions): Agent {
  const program = entry.program ?? dialect.program
  const environment = { ...dialect.env, ...entry.env, ...(sandbox.confines && dialect.confinedEnv) }
  const found = (): string | null => findExecutable(program.includes('/') ? resolve(cwd, program) : program, { ...process.env, ...environment })
  const argvFor = (request: Pick<AskRequest, 'cwd' | 'left'>): [string, ...string[]] => {
    const wish = { model: entry.model ?? null, cwd: request.cwd, left: request.left }
    return [found() ?? program, ...dialect.args(wish), ...(entry.args ?? [])]
  }
  return {
    name,
    describe: quoteCommand([program, ...argvFor({ cwd, left: { tokens: null, usd: null } }).slice(1)]),
    person: false,
    inText,
    priced: dialect.priced || price !== undefined,
    async ready() {
      if (found() === null) return `${quoteWord(program)} is not an executable program, here or on PATH`
      return dialect.obstacle?.({ ...process.env, ...environment }) ?? null
    },
    async version() {
      const path = found()
      return path === null ? null : versionOf(sandbox, path, cwd, environment)
    },
    ask: (request, signal) => ask(request, signal, { argv: argvFor(request), env: environment, dialect, price, sandbox, secrets }),
  }
}

const VERSION_LIMITS = { wallSeconds: 20, silenceSeconds: 20, outputBytes: 64 * 1024 }

/** Some tell it on standard error. Where nothing confines them they are asked beside their own file: a repository that nobody trusts yet may hold what they read. */
async function versionOf(sandbox: Sandbox, program: string, checkout: string, env: Dialect['env']): Promise<string | null> {
  const cwd = sandbox.name === 'none' ? dirname(program) : checkout
  const { exitCode, stdout, stderr } = await sandbox.run({ argv: [program, '--version'], cwd, env, limits: VERSION_LIMITS, reach: { network: 'none', read: visible(program) } })
  const told = [stdout, stderr].map(({ text }) => /\d+\.\d+\.\d+[\w.+-]*/.exec(text)?.[0]).find((version) => version !== undefined)
  return exitCode === 0 ? (told ?? null) : null
}

type How = { argv: [string, ...string[]]; env: Dialect['env']; dialect: Dialect; price: Price | undefined; sandbox: Sandbox; secrets: readonly string[] }

async function ask(request: AskRequest, signal: AbortSignal, { argv, env, dialect, price, sandbox, secrets }: How): Promise<Answer> {
  const listener = listen(request, dialect, price, redactorWith(secrets))
  const { result, files } = await runForAsk(request, {
    argv,
    env,
    stdin: request.prompt,
    sandbox,
    reach: reachOfAgent({ known: dialect.name, argv, env }),
    secrets,
    onText: listener.hear,
    ...(listener.hearError && { onErrorText: listener.hearError }),
    signal: AbortSignal.any([signal, listener.unserved]),
  })
  return answerOf(listener.end(), result, files, request, dialect, price)
}

function answerOf(heard: Heard, result: ProcessResult, files: string[], { prompt, limits }: AskRequest, dialect: Dialect, price: Price | undefined): Answer {
  const verdict = verdictOf(heard, result, { patienceSeconds: limits.silenceSeconds, login: dialect.login })
  const left = result.leftovers === 0 ? '' : `; ${counted(result.leftovers, 'process', 'processes')} left running and ended`
  const said = heard.ended?.how === 'done' ? heard.ended.text : undefined
  const usage = heard.usage && chargeOf(heard, prompt)
  return {
    ...verdict,
    note: oneLine(verdict.note) + left,
    text: sanitise(said ?? heard.text),
    files,
    spent: spendOf(withPrice(chargeOf(heard, prompt), price ?? dialect.listPrice?.(usage?.model ?? null)), result.seconds),
    ...(usage && { usage }),
  }
}

/** Who did not work at all, and says nothing of usage, is charged nothing. */
function chargeOf({ worked, ended, usage, saidChars }: Heard, prompt: string): Usage {
  return worked || ended?.how === 'done' ? atLeast(usage, prompt, saidChars) : (usage ?? NO_USAGE)
}
