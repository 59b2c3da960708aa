// What JSON of the documents is held against, by the word behind the language: the schema of a file, what reads it, or the server that it starts.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { ARTIFACT_SCHEMAS, EVENT_SCHEMA } from '../../../src/config/artifact-schemas.js'
import { EXIT } from '../../../src/errors.js'
import { plainGit } from '../../../src/git/fixture.js'
import { builtinProcedures } from '../../../src/procedures/index.js'
import { readDecision } from '../../../src/text/reply/decision.js'
import { CLI } from '../cli.js'
import { pageText, placeOf, type Block } from './blocks.js'

const STATUS_SCHEMA = EVENT_SCHEMA.omit({ event: true })

const KINDS: Readonly<Record<string, (value: unknown, block: Block) => unknown>> = {
  baseline_failures: (value) => ARTIFACT_SCHEMAS.baseline_failures.parse(value),
  current_failures: (value) => ARTIFACT_SCHEMAS.current_failures.parse(value),
  failure_fingerprint_history: (value) => ARTIFACT_SCHEMAS.failure_fingerprint_history.parse(value),
  completion_reasons: takeReasons,
  event: (value) => takeStanding(EVENT_SCHEMA.parse(value)),
  status: (value) => takeStanding(STATUS_SCHEMA.parse(value)),
  decision: takeDecision,
  mcp: startServer,
}

/** A line when it is not so; null when it is. */
export async function jsonFault(block: Block): Promise<string | null> {
  const [kind = ''] = block.words
  try {
    const take = KINDS[kind]
    if (!take) throw new Error(`nothing checks JSON of the kind "${kind}"`)
    await take(JSON.parse(block.text), block)
    return null
  } catch (error) {
    return `${placeOf(block)}: ${String(error)}`
  }
}

function same(what: string, shown: unknown, made: unknown): void {
  if (JSON.stringify(shown) !== JSON.stringify(made)) throw new Error(`${what} is ${JSON.stringify(shown)}, and would be ${JSON.stringify(made)}`)
}

function takeReasons(value: unknown): void {
  const { outcome, code, why, reasons } = ARTIFACT_SCHEMAS.completion_reasons.parse(value)
  const codes: Readonly<Record<string, number>> = { ...EXIT, converged: EXIT.ok, completed: EXIT.ok }
  same('the code', code, codes[outcome ?? ''])
  same('the first reason', reasons[0], why)
}

/** Where a session stands: what several fields tell has to be the same in all of them. */
function takeStanding({ procedure, phase, iteration, budget, max_iterations, failing, best, text }: z.infer<typeof STATUS_SCHEMA>): void {
  const known = builtinProcedures[procedure]
  if (known?.phases[phase] === undefined) throw new Error(`there is no phase ${phase} in ${procedure}`)
  same('the budget', budget, known.budget)
  same('max_iterations', max_iterations, known.budget.iterations)
  for (const word of [`${procedure} `, `iteration ${iteration}`, `${failing} failing`]) if (!text.includes(word)) throw new Error(`the text lacks "${word}"`)
  if (best === null || failing === null || best.failing > failing) throw new Error('the best is worse than what there is')
}

/** Each of its fields is heard: one that is not changes nothing when it is given. */
function takeDecision(value: unknown): void {
  const { decision, check_id, ...lists } = z.record(z.string(), z.unknown()).parse(value)
  const { verdict, from } = readDecision({ file: JSON.stringify(value), output: '', checkId: String(check_id) })
  same('what is decided', [verdict, from], [decision, 'file'])
  for (const name of Object.keys(lists)) {
    const heard = readDecision({ file: JSON.stringify({ ...(value as object), [name]: ['x'] }), output: '', checkId: String(check_id) })
    if (![...heard.reasons, ...heard.fingerprints].includes('x')) throw new Error(`nobody hears "${name}"`)
  }
}

// ───────────────────────────── servers ─────────────────────────────

const SETTINGS = z.strictObject({ mcpServers: z.record(z.string(), z.strictObject({ command: z.string(), args: z.array(z.string()) })) })
const ANYWHERE = '/path/to/repository'

/** As an editor starts it: in the folder of a project that has a program of this name too, which may not run. The page has to name the tools that it then offers. */
async function startServer(value: unknown, { page }: Block): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'greenlatch-server-'))
  const [bin, repo] = [join(root, 'bin'), join(root, 'repo')]
  for (const folder of [bin, join(repo, 'node_modules/.bin')]) mkdirSync(folder, { recursive: true })
  symlinkSync(CLI, join(bin, 'greenlatch'))
  symlinkSync('/bin/false', join(repo, 'node_modules/.bin/greenlatch'))
  plainGit(repo, 'init', '-q')
  const tools = Array.from(pageText(page).matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm), ([, names = '']) => names.replaceAll('`', '').split(', ')).flat()
  try {
    for (const { command, args } of Object.values(SETTINGS.parse(value).mcpServers)) {
      if (!args.includes(ANYWHERE)) throw new Error(`the arguments name no ${ANYWHERE}`)
      const offered = await toolsOf({ command, args: args.map((arg) => arg.replace(ANYWHERE, repo)) }, { bin, repo })
      same('the list of tools', tools.toSorted(), offered.toSorted())
    }
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function toolsOf(server: { command: string; args: string[] }, { bin, repo }: { bin: string; repo: string }): Promise<string[]> {
  const client = new Client({ name: 'editor', version: '1.0.0' })
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: bin, npm_config_offline: 'true', npm_config_yes: 'false' }
  await client.connect(new StdioClientTransport({ ...server, cwd: repo, env, stderr: 'ignore' }), { timeout: 30_000 })
  try {
    return (await client.listTools()).tools.map(({ name }) => name)
  } finally {
    await client.close()
  }
}
