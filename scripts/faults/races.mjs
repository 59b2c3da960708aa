// Many processes want one session at the same moment, and one of them may be frozen: there is exactly one owner, and an old one writes no more.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleText } from '../source.mjs'
import { greenlatch, journalIn, makeWorld } from './world.mjs'

const RACERS = 4
/** Waits for a word on its standard input, takes the lock of the folder it names, says what became of it, and lets go when told. */
const RACER = `
import { createInterface } from 'node:readline'
import { acquireLock } from './src/shell/lock.ts'
import { apply, FOLD_VERSION } from './src/core/index.ts'
import { openJournal } from './src/adapters/journal/files.ts'
let lock = null
let journal = null
let session = null
const clock = { now: () => 0, seconds: () => 0 }
for await (const line of createInterface({ input: process.stdin })) {
  const [word, folder] = line.split(' ')
  try {
    if (word === 'take') {
      lock = await acquireLock(folder)
      console.log(lock.kind)
    } else if (word === 'open') {
      journal = openJournal({ folder, fold: { version: FOLD_VERSION, apply }, clock, writable: true })
      session = (await journal.load()).session
      console.log('open')
    } else if (word === 'write') {
      console.log('seq ' + journal.append([{ type: 'paused' }], session).seq)
    } else {
      journal?.close()
      await lock?.release?.()
      lock = journal = null
      console.log('free')
    }
  } catch (error) {
    console.log('refused ' + error.code)
  }
}`

export async function race(count, frozen) {
  const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'greenlatch-races-'))
  const racers = []
  try {
    const script = join(base, 'racer.mjs')
    await bundleText(RACER, script)
    for (let at = 0; at < RACERS; at += 1) racers.push(startRacer(script))
    const faults = []
    for (let at = 0; at < count; at += 1) faults.push(...(await oneRace(racers, mkdtempSync(join(base, 'folder-')), at)))
    let fenced = 0
    for (let at = 0; at < frozen; at += 1) {
      const fault = await frozenOwner(script, mkdtempSync(join(base, 'session-')))
      if (fault === null) fenced += 1
      else faults.push(`frozen owner ${at}: ${fault}`)
    }
    return { races: count, racers: RACERS, frozen, fenced, faults }
  } finally {
    for (const { child } of racers) child.kill('SIGKILL')
    rmSync(base, { recursive: true, force: true })
  }
}

function startRacer(script, wrapper = []) {
  const argv = [...wrapper, process.execPath, script]
  const child = spawn(argv[0], argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop()
    for (const line of lines) waiting.shift()?.(line)
  })
  return { child, ask: (line) => new Promise((resolve) => {
    waiting.push(resolve)
    child.stdin.write(`${line}\n`)
  }) }
}

async function oneRace(racers, folder, at) {
  const answers = await Promise.all(racers.map((racer) => racer.ask(`take ${folder}`)))
  const owners = answers.filter((answer) => answer === 'lock').length
  await Promise.all(racers.map((racer) => racer.ask('free')))
  rmSync(folder, { recursive: true })
  return owners === 1 ? [] : [`race ${at}: ${owners} owners (${answers.join(', ')})`]
}

/** One owner is frozen; another, who cannot see that it lives, takes over; the first wakes up and wants to write. */
async function frozenOwner(script, folder) {
  const journal = await someJournal()
  const records = journal.toString('utf8').split('\n').length - 1
  writeFileSync(join(folder, 'journal.jsonl'), journal)
  const apart = process.getuid() === 0 ? ['unshare', '--net', '--pid', '--fork', '--mount-proc'] : []
  const [old, young] = [startRacer(script), startRacer(script, apart)]
  try {
    const took = [await old.ask(`take ${folder}`), await old.ask(`open ${folder}`), await old.ask('write')]
    old.child.kill('SIGSTOP')
    // As when the owner's machine is thought dead: its name is taken away, and its lock cannot be seen from here.
    rmSync(join(folder, 'owner.json'), { force: true })
    const over = [await young.ask(`take ${folder}`), await young.ask(`open ${folder}`), await young.ask('write')]
    old.child.kill('SIGCONT')
    const late = await old.ask('write')
    const after = await young.ask('write')
    const isRight = took.join() === `lock,open,seq ${records + 1}` && over.join() === `lock,open,seq ${records + 2}` && late.startsWith('refused ') && after === `seq ${records + 3}`
    return isRight ? null : `${took.join()} / ${over.join()} / ${late} / ${after}`
  } finally {
    for (const { child } of [old, young]) {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
    }
  }
}

let template = null

/** The journal of a session that has ended. */
async function someJournal() {
  if (template) return template
  const world = makeWorld()
  try {
    const { code, stderr } = await greenlatch(world, ['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])
    if (code !== 0) throw new Error(`no session could be made: ${stderr}`)
    template = readFileSync(journalIn(world)[0])
    return template
  } finally {
    world.remove()
  }
}
