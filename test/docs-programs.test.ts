// Programs of the documents that stand for a far end: run as they stand, with what they leave to the reader filled in here.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from './support/docs/blocks.js'
import { examplesOf } from './support/docs/lists.js'

type Program = { files: Record<string, string>; args: readonly string[] }

/** In a folder of its own, with the built package installed. */
function runProgram({ files, args }: Program): { status: number | null; printed: string } {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(ROOT, join(folder, 'node_modules/greenlatch'))
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder } })
  return { status, printed: stdout + stderr }
}

function onlyOne(blocks: ReturnType<typeof examplesOf>): string {
  expect(blocks).toHaveLength(1)
  return blocks[0].text
}

/** An agent that asks a server once and says what it was told: all that the page leaves to the reader. */
const FAR_AGENT = `
import { startModelServer } from 'greenlatch/testing'
globalThis.startServerThat = (behaviour, says) => {
  const turn = behaviour === 'success' ? { text: says } : { fault: 'bad-request' }
  return startModelServer({ script: { client: 'chat', turns: [turn], after: 'repeat' } })
}
globalThis.myAgent = ({ url }) => ({
  name: 'mine', describe: 'a model', person: false, inText: true, priced: false,
  ready: async () => null,
  async ask({ onActivity }) {
    const response = await fetch(url + '/v1/chat/completions', { method: 'POST', body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }) })
    const { choices, error } = await response.json()
    onActivity({ kind: 'working', note: 'it answers' })
    const answer = { files: [], spent: { seconds: 0, tokens: 0, usd: 0 } }
    return response.ok ? { ...answer, ending: 'done', note: 'answered', text: choices[0].message.content } : { ...answer, ending: 'failed', note: error.message, text: '' }
  },
})
`

/** A machine far away that is this one, and what the outline leaves to the reader. */
const FAR_MACHINE = `
import { spawnSync } from 'node:child_process'
export const did = []
export const Sandbox = {
  async create(options) {
    did.push(options)
    return {
      commands: {
        async run(command, { cwd, timeoutMs, onStdout, onStderr }) {
          const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, timeout: timeoutMs, encoding: 'utf8' })
          if (command.includes('no-such')) throw new Error('the machine is gone')
          onStdout(stdout)
          onStderr(stderr)
          return { exitCode: status }
        },
      },
      kill: async () => void did.push('killed'),
    }
  },
}
`
const TRY_MACHINE = `
import { did } from 'e2b'
globalThis.upload = async (machine, folder) => void did.push('up ' + folder)
globalThis.download = async (machine, folder) => void did.push('down ' + folder)
globalThis.quoted = (argv) => argv.map((word) => "'" + word + "'").join(' ')
globalThis.result = (ending, exitCode, { stdout, stderr }) => ({ ending, exitCode, stdout, stderr })
const { e2b } = await import('./shown.mjs')
const sandbox = e2b()
const heard = []
const limits = { wallSeconds: 20, silenceSeconds: 20, outputBytes: 1000 }
const listens = { onOutput: (bytes) => heard.push(bytes), onText: (text) => heard.push(text) }
const went = await sandbox.run({ argv: ['sh', '-c', 'echo out; echo oh >&2; exit 3'], cwd: '.', limits, reach: { network: 'none' }, ...listens })
const failed = await sandbox.run({ argv: ['no-such'], cwd: '.', limits, reach: { network: 'host' } })
await sandbox.close()
console.log(JSON.stringify({ is: [sandbox.name, sandbox.confines, typeof sandbox.describe], went, failed, heard, did }))
`

describe('the programs of the documents', () => {
  it('find in the package what they import, and what docs/hostile.md names is there to be tried', () => {
    const shown = `${onlyOne(examplesOf('hostile agents'))}\nconsole.log(HOSTILE_AGENTS.length > 0, typeof tryHostile)\n`
    expect(runProgram({ files: { 'shown.mjs': shown }, args: ['shown.mjs'] })).toEqual({ status: 0, printed: 'true function\n' })
  })

  it('put an agent behind a server of the reader to the kit, but for the cases that it names', () => {
    const files = { 'filled.mjs': FAR_AGENT, 'shown.test.mjs': onlyOne(examplesOf('far ends')) }
    const args = ['--import', './filled.mjs', '--test', '--test-reporter=tap', '--test-name-pattern=/^(success|error|garbage)/', 'shown.test.mjs']
    const { status, printed } = runProgram({ files, args })
    expect(printed.match(/^ *not ok .*$/gm) ?? []).toEqual([])
    expect([status, Array.from(printed.matchAll(/^ok \d+ - (\w+).*(?<! SKIP .*)$/gm), ([, name]) => name), printed]).toEqual([0, ['success', 'error'], expect.not.stringContaining('garbage')])
  })

  it('run the processes of a sandbox on another machine, which is ended whatever comes of them', () => {
    const { outputText } = ts.transpileModule(onlyOne(examplesOf('a far sandbox')), { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } })
    const files = { 'shown.mjs': outputText, 'try.mjs': TRY_MACHINE, 'node_modules/e2b/index.mjs': FAR_MACHINE, 'node_modules/e2b/package.json': '{ "exports": "./index.mjs" }' }
    const { status, printed } = runProgram({ files, args: ['try.mjs'] })
    expect(status, printed).toBe(0)
    expect(JSON.parse(printed)).toEqual({
      is: ['e2b', true, 'string'],
      went: { ending: 'exited', exitCode: 3, stdout: 'out\n', stderr: 'oh\n' },
      failed: { ending: 'unstartable', exitCode: null, stdout: '', stderr: 'Error: the machine is gone' },
      heard: [4, 'out\n', 3],
      did: [{ allowInternetAccess: false }, 'up .', 'down .', 'killed', { allowInternetAccess: true }, 'up .', 'killed'],
    })
  })
})
