// The network of one process in a sandbox that may reach some hosts: sockets outside, and inside a small program that leads to them.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Confined, Network } from '../../ports.js'
import type { Ground } from './ground.js'
import { loopbackPorts } from './hosts.js'
import type { Leader } from './inside.js'
import { openProxy, openRelay, type Proxy } from './proxy.js'
import { upstreamIn } from './upstream.js'

export type Door = {
  /** Holds the sockets. */
  folder: string
  /** To be put in front of the command; `inside` is where the folder is seen. */
  argv: (leader: Leader, inside: string) => string[]
  close(): Promise<void>
}

/** Where the sockets are seen inside. */
export const DOOR = '/run/greenlatch'
const PROXY = 'proxy'

/** Null where there is nothing to lead to, or no need of it. */
export async function doorFor(network: Network, { allow }: Ground, sockets: string, onDenied: Confined['onDenied']): Promise<Door | null> {
  if (network === 'none' || network === 'host') return null
  return openDoor(sockets, [...network.hosts, ...allow], (address) => onDenied?.(address))
}

/** Programs try again and again: an address is told of when it is first met. */
export function once(told: Set<string>, tell: Confined['onDenied']): (address: string) => void {
  return (address) => {
    if (told.has(address)) return
    told.add(address)
    tell?.(address)
  }
}

/** The folder has to have a short path: sockets do not take long ones. */
async function openDoor(folder: string, rules: readonly string[], onDenied: (address: string) => void): Promise<Door> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ports = loopbackPorts(rules)
  const open: Proxy[] = [await openProxy(join(folder, PROXY), { rules, onDenied, upstream: upstreamIn(process.env) })]
  for (const port of ports) open.push(await openRelay(join(folder, String(port)), port))
  return {
    folder,
    argv: (leader, inside) => [...leader, inside, ports.join(',')],
    async close() {
      await Promise.all(open.map((each) => each.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
