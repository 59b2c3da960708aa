// A stand-in for the program of an agent: reads its prompt like one, notes how it was started, and does what a plan in a file says.
// Arguments: the plan, then whatever the adapter gives. The n-th start plays the n-th run of the plan, and the last one from then on;
// asked for nothing but its version it says one, which is no start.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const STDIN_SECONDS = 5
const PIECE = Buffer.alloc(64 * 1024, 'flood ')

const [, , planPath = '', ...argv] = process.argv
if (argv.length === 1 && argv[0] === '--version') {
  process.stdout.write('1.0.0 (stub)\n')
  process.exit(0)
}

const plan = JSON.parse(readFileSync(planPath, 'utf8'))

const before = existsSync(plan.seen) ? readFileSync(plan.seen, 'utf8').split('\n').filter(Boolean).length : 0
const input = await readInput()
appendFileSync(plan.seen, `${JSON.stringify({ pid: process.pid, argv, cwd: process.cwd(), env: process.env, ...input })}\n`)
for (const step of plan.runs[Math.min(before, plan.runs.length - 1)] ?? []) await play(step)

/** An agent that waits for the rest of its prompt would wait for ever on an input that nobody ends. */
async function readInput() {
  const chunks = []
  const ended = new Promise((done) => {
    process.stdin.on('data', (chunk) => chunks.push(chunk))
    process.stdin.on('end', () => done(true))
    process.stdin.on('error', () => done(true))
  })
  const stdinEnded = await Promise.race([ended, sleep(STDIN_SECONDS * 1000, false, { ref: false })])
  process.stdin.destroy()
  return { stdin: Buffer.concat(chunks).toString('utf8'), stdinEnded }
}

async function play(step) {
  switch (step.do) {
    case 'print':
      return write(process.stdout, step.text)
    case 'complain':
      return write(process.stderr, step.text)
    case 'bytes':
      return write(process.stdout, Buffer.from(step.base64, 'base64'))
    case 'write':
      mkdirSync(dirname(resolve(step.path)), { recursive: true })
      return writeFileSync(resolve(step.path), step.text)
    case 'flood':
      for (let bytes = 0; bytes < step.bytes; bytes += PIECE.length) await write(process.stdout, PIECE)
      return
    case 'repeat':
      for (;;) {
        await write(step.on === 'err' ? process.stderr : process.stdout, step.text)
        await sleep(step.everySeconds * 1000)
      }
    case 'hang':
      return sleep(2 ** 31 - 1)
    case 'orphan':
      return orphan(step.noteIn)
    case 'exit':
      process.exit(step.code)
  }
}

function write(stream, text) {
  return new Promise((done) => stream.write(text, () => done()))
}

/** A process whose parent is gone, in a session of its own and with none of our streams. */
async function orphan(noteIn) {
  const lasting = "require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], { detached: true, stdio: 'ignore' })"
  const parent = spawn(process.execPath, ['-e', `const child = ${lasting}; require('node:fs').writeFileSync(process.argv[1], String(child.pid)); process.exit(0)`, noteIn], { stdio: 'ignore' })
  await new Promise((done) => parent.once('exit', done))
}
