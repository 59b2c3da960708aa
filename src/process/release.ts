// Starts a program that is the user's from then on, such as a browser: it outlives us, and nothing of it is watched or ended.
import { spawn } from 'node:child_process'

/** Whether it could be started; what becomes of it is not waited for. */
export async function releaseProcess([command, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  const child = spawn(command, args, { detached: true, stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
