// A session in this process with a real workspace and a real model agent, asked as often as a test likes; only the model is scripted.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { chatAgent } from '../../src/adapters/agents/chat/agent.js'
import { makePlan } from '../../src/cli/setup.js'
import { createSession } from '../../src/cli/wire.js'
import { loadConfig } from '../../src/config/load.js'
import type { ChatEntry } from '../../src/agent-entry.js'
import { issue, type Effect, type Report, type Session } from '../../src/core/index.js'
import type { AskRequest, Limits } from '../../src/ports.js'
import { performAsk } from '../../src/shell/ask.js'
import { promptPath } from '../../src/shell/ask-files.js'
import type { Ports } from '../../src/shell/live.js'
import { tddPlace } from './tdd.js'

const SETTINGS = `
procedures:
  texts:
    summary: Writes and checks.
    start: write
    phases:
      write:
        kind: ask
        role: implementer
        yields: candidate
        opensIteration: true
        prompt:
          - { title: TASK, fragments: [{ section: task }] }
          - { title: COMMANDS, fragments: [{ section: commands }] }
          - { title: FORM, fragments: [{ section: form }] }
        on: { pass: check, error: write }
      check:
        kind: check
        gates: ["@configured"]
        on: { pass: "@completed", fail: write }
    policies: {}
    budget: { iterations: 9 }
    final: last
agents: { near: { chat: "http://model.invalid/v1" } }
agent: near
gates: [{ name: test, run: node --version }]
`

export type Asked = { report: Report; warnings: string[]; spent: number[] }
export type How = { entry?: Partial<ChatEntry>; limits?: Partial<Limits>; retries?: number; tokens?: number; left?: (left: AskRequest['left']) => void }

export type ChatGround = {
  cwd: string
  tree: string
  ask(url: string, how?: How): Promise<Asked>
  /** What a prompt of this session would be, after what was kept. */
  prompt(report?: Report): string
  kept(report: Report, name: string): string
  /** Every file of the folder agents work in, by its content; and everything around it that a reply must not reach. */
  inside(): Record<string, string>
  outside(): Record<string, string>
}

export async function chatGround(files: Readonly<Record<string, string>>, settings = ''): Promise<ChatGround> {
  const place = tddPlace(files)
  place.write('../settings.yaml', `${SETTINGS}${settings}`)
  const env = { GREENLATCH_STATE_HOME: place.state }
  const config = await loadConfig({ cwd: place.repo, env, home: place.home, file: join(place.root, 'settings.yaml'), flags: {} })
  const plan = makePlan(['texts', 'Turn the sign around.'], {}, config, { cwd: place.repo, version: '0', drive: 'run' })
  const warnings: string[] = []
  const owned = await createSession(plan, join(place.state, 'room/sessions'), { notice: (notice) => void (notice.kind === 'warning' && warnings.push(notice.text)) })
  onTestFinished(() => owned.close())
  const { ports, session } = owned
  const effect = issue(session)
  if (effect?.kind !== 'ask') throw new Error('an ask is expected')
  const { cwd } = ports.workspace
  const beside = [place.repo, place.home, owned.folder.replace(/sessions\/[^/]+$/, 'checkouts')]
  return {
    cwd,
    tree: effect.tree,
    ask: (url, how = {}) => askOnce({ ports, session, effect, warnings }, url, how),
    prompt: (report) => ports.compose(report ? { ...session, kept: { ...session.kept, ...keptBy(report) } } : session, effect).text,
    kept: ({ keeps }, name) => ports.folder.read(keeps[name]?.path ?? '') ?? '',
    inside: () => digestOf(cwd, /^\.git$/),
    outside: () => Object.fromEntries(beside.flatMap((folder) => Object.entries(digestOf(folder)).filter(([path]) => !path.startsWith(`${cwd}/`)))),
  }
}

function keptBy({ keeps }: Report): Session['kept'] {
  return Object.fromEntries(Object.entries(keeps).flatMap(([name, ref]) => (ref ? [[name, ref]] : [])))
}

type Ground = { ports: Ports; session: Session; effect: Extract<Effect, { kind: 'ask' }>; warnings: string[] }

async function askOnce({ ports, session, effect, warnings }: Ground, url: string, { entry = {}, limits = {}, retries = 0, tokens }: How): Promise<Asked> {
  warnings.length = 0
  const spent: number[] = []
  const near = chatAgent({ name: 'near', entry: { chat: `${url}/v1`, model: 'm', ...entry }, wait: async () => {} })
  const reporter = {
    notice(notice: Parameters<Ports['reporter']['notice']>[0]): void {
      if (notice.kind === 'activity' && notice.activity.kind === 'spent') spent.push(notice.activity.spent.tokens)
      ports.reporter.notice(notice)
    },
  }
  const agent = { ...ports.limits.agent, ...limits }
  const now = { ...session, retries, budget: { ...session.budget, ...(tokens !== undefined && { tokens }) } }
  ports.folder.write(promptPath(effect), ports.compose(now, effect).text)
  const performed = await performAsk({ ...ports, reporter, agents: { near }, limits: { ...ports.limits, agent } }, now, effect)
  if (performed.kind !== 'report') throw new Error(`the ask is ${performed.kind}`)
  return { report: performed.report, warnings: [...warnings], spent }
}

function digestOf(folder: string, leaveOut = /^$/): Record<string, string> {
  return Object.fromEntries(readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !leaveOut.test(name)).flatMap((entry): [string, string][] => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return [[path, 'folder'], ...Object.entries(digestOf(path))]
    const content = entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path)
    return [[path, `${lstatSync(path).mode} ${createHash('sha256').update(content).digest('hex')}`]]
  }))
}
