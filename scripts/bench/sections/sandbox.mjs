// What a process costs in a sandbox beside a bare one.
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { goal, median, ms, table, times, verdict } from '../figures.mjs'
import { inChild } from '../measure.mjs'
import { root } from '../../results.mjs'

const GOAL_MILLISECONDS = 60
const NAMES = ['bare', 'bubblewrap, as gates run', 'bubblewrap with a way to some hosts, as agents run']

export const title = 'A sandbox'

export function measure({ quick, place }) {
  return inChild(import.meta.filename, 'starts', { place, starts: quick ? 5 : 40 })
}

export async function starts({ place, starts: many }) {
  const { bubblewrap, noSandbox } = await import(join(root, 'dist/index.js'))
  const checkout = join(place, 'checkout')
  mkdirSync(checkout)
  const ground = {
    home: homedir(), hidden: [place], read: [], write: [], allow: [],
    workOf: () => ({ folder: checkout, fixed: [], home: 'kept' }),
    limits: { processes: 4096, memoryMegabytes: 4096, fileMegabytes: 4096 },
  }
  const [bare, confined] = [noSandbox(), bubblewrap(ground)]
  const ways = [[bare, 'none'], [confined, 'none'], [confined, { hosts: ['example.com'] }]]
  const once = async ([sandbox, network]) => {
    const began = performance.now()
    const { exitCode, note, stderr } = await sandbox.run({ argv: ['/bin/true'], cwd: checkout, limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1000 }, reach: { network } })
    if (exitCode !== 0) throw new Error(`${note} ${stderr.text}`)
    return performance.now() - began
  }
  const taken = ways.map(() => [])
  // In turns, so that a busy moment of the machine falls on all of them.
  for (let round = 0; round < many; round++) for (const [at, way] of ways.entries()) taken[at].push(await once(way))
  await confined.close()
  return { many, rows: taken.map((all) => ({ middle: median(all), quickest: Math.min(...all) })) }
}

export function render({ many, rows, megabytes: peak }) {
  const [bare, gate, agent] = rows
  return {
    goals: [['a gate', gate], ['an agent', agent]].map(([who, { middle }]) => goal(`${who} in a sandbox, more by the clock`, middle - bare.middle, { most: GOAL_MILLISECONDS, write: ms })),
    body: `A process that does nothing, ${many} starts each, in turns, by the clock. The process that started them all had ${peak.toFixed(0)} MB at most.

${table(['', 'median', 'quickest', 'more', 'ratio of medians'], rows.map(({ middle, quickest }, at) => [NAMES[at], ms(middle), ms(quickest), ms(middle - bare.middle), times(middle / bare.middle)]))}

${verdict({
  slowest: `bubblewrap itself (${ms(gate.middle - bare.middle)}), and for agents the way to their hosts (${ms(agent.middle - gate.middle)})`,
  limit: `a bare process, ${ms(bare.middle)}`,
  near: `${ms(gate.middle - bare.middle)} more for a gate, ${ms(agent.middle - bare.middle)} for an agent`,
})}`,
  }
}
