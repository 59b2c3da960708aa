// Processes for searches, one for each lane, started anew when one has to be ended.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment } from './run-tests.mjs'

const TRIAL = join(import.meta.dirname, 'trial.mjs')
/** Beyond its own limit a search is stopped politely first. */
const KILL_AFTER_SECONDS = 60

export function openTrials() {
  const idle = []
  const all = new Set()
  return {
    /** Null when the process had to be ended. */
    async ask(job) {
      const trial = idle.pop() ?? begin(all)
      const answer = await trial.ask(job)
      if (all.has(trial)) idle.push(trial)
      if (answer?.error) throw new Error(answer.error)
      return answer
    },
    close: () => [...all].forEach((trial) => trial.end()),
  }
}

function begin(all) {
  const child = spawn(process.execPath, [TRIAL], { detached: true, stdio: ['pipe', 'pipe', 'inherit'], env: environment() })
  const lines = createInterface({ input: child.stdout })
  let settle = () => {}
  const trial = {
    ask: (job) => new Promise((resolve) => {
      const timer = setTimeout(trial.end, (job.limits.seconds + KILL_AFTER_SECONDS) * 1000)
      settle = (answer) => {
        clearTimeout(timer)
        resolve(answer)
      }
      child.stdin.write(`${JSON.stringify(job)}\n`)
    }),
    end() {
      all.delete(trial)
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It is gone already.
      }
    },
  }
  all.add(trial)
  child.stdin.on('error', () => {})
  lines.on('line', (line) => line.startsWith('answer ') && settle(JSON.parse(line.slice('answer '.length))))
  child.on('close', () => {
    all.delete(trial)
    settle(null)
  })
  return trial
}
