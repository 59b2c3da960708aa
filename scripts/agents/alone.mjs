// A network of its own for what we start: loopback and nothing else, so that no agent can reach anything but our servers.
import { spawn, spawnSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

const UP = 'ip link set lo up && exec "$@"'
/** As root, or else as a user who may make namespaces. */
const WAYS = [['-n'], ['-rn']]
const MARK = 'GREENLATCH_TEST_ALONE'

/** True when this process already has nothing but loopback. */
export function isAlone() {
  return process.env[MARK] === '1' && Object.keys(networkInterfaces()).every((name) => name === 'lo')
}

/** Runs this script again in such a network and returns its exit code; null, and a line that says so, where that cannot be done. */
export async function againAlone() {
  const way = WAYS.find((flags) => spawnSync('unshare', [...flags, 'sh', '-c', UP, 'sh', 'true'], { stdio: 'ignore' }).status === 0)
  if (!way) {
    console.log('not in a network of its own: unshare and ip (packages util-linux, iproute2) cannot make one here; agents could reach the internet')
    return null
  }
  const self = [process.execPath, ...process.argv.slice(1)]
  const child = spawn('unshare', [...way, 'sh', '-c', UP, 'sh', ...self], { stdio: 'inherit', env: { ...process.env, [MARK]: '1' } })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
