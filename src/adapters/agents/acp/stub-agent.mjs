// An agent of the Agent Client Protocol for tests, as a program of its own: does what the script in its first argument says.
// What it is answered goes to the file that its second argument names, one line of JSON each.
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const script = JSON.parse(process.argv[2] ?? '{}')
const heardPath = process.argv[3]
const waiting = new Map()
let asked = 0
let session = null
let onCancel = () => {}
const cancelled = new Promise((resolve) => (onCancel = resolve))

const note = (entry) => heardPath && appendFileSync(heardPath, `${JSON.stringify(entry)}\n`)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (entry) => send({ method: 'session/update', params: { sessionId: 'stub', update: entry } })
const at = (path) => (path.startsWith('/') ? path : join(session.cwd, path))

function call(method, params) {
  const id = `stub-${++asked}`
  send({ id, method, params: { sessionId: 'stub', ...params } })
  return new Promise((resolve) => waiting.set(id, resolve))
}

/** Asks, waits, and writes down what came. */
async function tell(method, params) {
  const { result, error } = await call(method, params)
  note({ method, ...(error ? { error: error.message, code: error.code } : { result }) })
  return result
}

const STEPS = {
  say: (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
  update,
  edit: ([path, text]) => writeFileSync(at(path), text),
  read: ([path, line, limit]) => tell('fs/read_text_file', { path: at(path), line, limit }),
  write: ([path, content]) => tell('fs/write_text_file', { path: at(path), content }),
  permission: (params) => tell('session/request_permission', params),
  call: ([method, params]) => tell(method, params),
  /** Asks, and takes it back at once. */
  takeBack([method, params]) {
    const answered = tell(method, params)
    send({ method: '$/cancel_request', params: { requestId: `stub-${asked}` } })
    return answered
  },
  raw: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  sleep: (seconds) => sleep(seconds * 1000),
  untilCancelled: () => cancelled,
  hang: () => new Promise(() => setInterval(() => {}, 1000)),
  exit: (code) => process.exit(code),
  flood(count) {
    for (let at = 0; at < count; at++) STEPS.say('x'.repeat(1000))
  },
  long: (chars) => send({ method: 'session/update', params: { filler: 'x'.repeat(chars) } }),
  /** Asks for a file over and over, and takes no answer. */
  pester([path, count]) {
    input.pause()
    process.stdin.pause()
    for (let at = 0; at < count; at++) send({ id: `p${at}`, method: 'fs/read_text_file', params: { sessionId: 'stub', path: join(session.cwd, path) } })
  },
  async terminal({ wait = true, kill = false, ...params }) {
    const made = await tell('terminal/create', params)
    if (!made) return
    const { terminalId } = made
    if (kill) await tell('terminal/kill', { terminalId })
    if (wait) await tell('terminal/wait_for_exit', { terminalId })
    await tell('terminal/output', { terminalId })
    if (wait) await tell('terminal/release', { terminalId })
  },
  /** A process that leaves the tree by itself and would outlive everything. */
  async orphan() {
    const child = spawn('/bin/sh', ['-c', 'sleep 300 & sleep 300'], { detached: true, stdio: 'ignore' })
    child.unref()
    note({ orphan: child.pid })
    await sleep(100)
  },
}

async function prompt(id, params) {
  note({ prompt: params.prompt })
  const work = (async () => {
    for (const step of script.steps ?? []) for (const [name, value] of Object.entries(step)) await STEPS[name](value)
    return 'worked'
  })()
  const how = await Promise.race([work, ...(script.ignoresCancel ? [] : [cancelled])])
  if (script.fail && how === 'worked') return send({ id, error: script.fail })
  send({ id, result: { stopReason: how === 'worked' ? (script.stop ?? 'end_turn') : 'cancelled', ...(script.usage && { usage: script.usage }) } })
}

const METHODS = {
  initialize: (id) => send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [], ...script.initialize } }),
  authenticate(id, params) {
    note({ authenticate: params.methodId })
    script.needsLogin = false
    send({ id, result: {} })
  },
  'session/new'(id, params) {
    if (script.crashAtSession) process.exit(script.crashAtSession)
    session = params
    if (script.needsLogin) return send({ id, error: { code: -32000, message: 'Authentication required' } })
    send({ id, result: { sessionId: 'stub', ...script.session } })
  },
  'session/prompt': prompt,
  'session/cancel'() {
    note({ cancelled: true })
    onCancel('cancelled')
  },
}

if (script.banner) process.stdout.write(script.banner)
if (script.crash) {
  process.stderr.write(`${script.crash}\n`)
  process.exit(1)
}
if (script.isDeaf) process.on('SIGTERM', () => {})
if (script.stays) setInterval(() => {}, 1000)
const input = createInterface({ input: process.stdin })
input
  .on('line', (line) => {
    const message = JSON.parse(line)
    if (message.method === undefined) {
      waiting.get(message.id)?.(message)
      return waiting.delete(message.id)
    }
    const handle = METHODS[message.method]
    if (handle) void handle(message.id, message.params)
    else {
      note({ asked: message.method, params: message.params })
      if (message.id !== undefined) send({ id: message.id, result: {} })
    }
  })
  .on('close', () => {
    if (!script.stays) process.exit(0)
  })
