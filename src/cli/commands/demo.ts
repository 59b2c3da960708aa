// `demo`: the real loop on a bundled repository, in a folder of its own, without a key or a network.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { nearest } from '../../text/nearest.js'
import { refuseInside } from '../begin.js'
import { readEntry } from '../catalogue.js'
import { openContext, workingFolder } from '../context.js'
import { makePlace, stayInside, type DemoPlace } from '../demo/place.js'
import { nextAfter, SCENARIOS, type Scenario } from '../demo/scenarios.js'
import { beginning, farewell, greeting } from '../demo/words.js'
import { findSession } from '../find-session.js'
import { didYouMean } from '../meant.js'
import { createOutput } from '../output.js'
import type { Call } from '../program.js'
import { trustWritten } from '../trust.js'
import run from './run.js'
import { promptPath } from '../../shell/ask-files.js'

const TASK = 'Make the tests of the shop pass.'
const DEFAULT = 'converge'

export default async function demo({ args: [name = DEFAULT], flags, version }: Call<{ into?: string }>): Promise<number> {
  refuseInside()
  const scenario = scenarioOf(name)
  const { into, C, config, stateDir, ...others } = flags
  if (config !== undefined || stateDir !== undefined) {
    throw new Refusal(EXIT.usage, `${config === undefined ? '--state-dir' : '--config'} has no meaning here: a demo brings its own settings and keeps its sessions beside them`, `greenlatch demo ${name}`)
  }
  const output = createOutput(flags)
  const place = await makePlace(name, scenario, into, workingFolder(C))
  const leave = stayInside(place)
  const part = (code: number): void => {
    leave()
    output.say(farewell(name, nextAfter(scenario, code), place))
  }
  // A second signal ends everything at once, and what is to be typed then is needed all the more.
  process.once('exit', part)
  try {
    output.say(greeting(name, scenario, place, version))
    await trustWritten(place.repository)
    const code = await run({ args: [TASK], flags: { ...others, C: place.repository }, version, words: ['run', TASK] })
    if (code === EXIT.waiting) output.say(await promptThatWaits(place))
    part(code)
    return code
  } finally {
    process.off('exit', part)
    leave()
  }
}

/** How it begins: a newcomer shall see what a person, or a model that a person asks, is given. */
async function promptThatWaits({ repository }: DemoPlace): Promise<string> {
  const context = await openContext({ C: repository })
  const { folder, session } = await readEntry(context.store, await findSession(context, undefined))
  return session.outstanding ? beginning(readFileSync(join(folder, promptPath(session.outstanding)), 'utf8')) : ''
}

function scenarioOf(name: string): Scenario {
  const names = Object.keys(SCENARIOS)
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined
  if (scenario) return scenario
  const next = `greenlatch demo ${nearest(name, names) ?? '--help'}`
  throw new Refusal(EXIT.usage, `there is no scenario "${name}"${didYouMean(name, names)}; there are ${names.join(', ')}`, next)
}
