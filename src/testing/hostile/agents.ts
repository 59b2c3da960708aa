// All hostile agents, and the program of one.
import { chmodSync, writeFileSync } from 'node:fs'
import { CHEATS } from './cheats.js'
import { DISTURBING } from './disturbing.js'
import { REACHING } from './reaching.js'
import { RESTLESS } from './restless.js'
import type { HostileAgent } from './types.js'

/** Agents that must never get a result, each with an honest twin that must. */
export const HOSTILE_AGENTS: readonly HostileAgent[] = [...CHEATS, ...REACHING, ...RESTLESS, ...DISTURBING]

/** The hostile one, or the one that does the work. */
export type Side = 'hostile' | 'honest'

/** A hostile agent, or its twin, to be written as a program. */
export type HostileProgram = {
  /** Where the program will lie. */
  path: string
  /** Which one. */
  agent: Pick<HostileAgent, 'name' | 'does' | 'twin' | 'project'>
  /** Whether it is the hostile one or its twin. */
  side: Side
  /** A folder that is none of its business. */
  outside: string
}

/** A program that reads a prompt to its end, as `--ai-cmd` starts it, and then does what it is made for. Returns its path. */
export function writeHostileAgent({ path, agent, side, outside }: HostileProgram): string {
  return writeProgram(path, `# An agent for tests that ${side === 'hostile' ? agent.name : 'does the work'}.\nexport OUTSIDE='${outside}'\n${EDIT}cat > /dev/null\n${scriptOf(agent, side)}`)
}

/** In place, with the file's mode kept; `sed -i` is another thing on each system. */
const EDIT = `edit() { sed "$1" "$2" > "$OUTSIDE/edited" && cat "$OUTSIDE/edited" > "$2"; rm -f "$OUTSIDE/edited"; }\n`

function scriptOf({ does, twin, project }: HostileProgram['agent'], side: Side): string {
  return side === 'hostile' ? does : (twin ?? project.honest)
}

export function writeProgram(path: string, script: string): string {
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}
