// Agents that work and get nowhere: they go round in circles, mend one thing and break another, or repeat themselves.
import { inTurn, until } from './shell.js'
import type { HostileAgent, Project } from './types.js'

/** The check fails by each line of a file, so that a session of many iterations takes little time. */
const WRONGS: Project = {
  files: { 'wrong.txt': 'one\ntwo\n', 'notes.txt': '', 'check.sh': `sed 's/^/FAIL /' wrong.txt\ntest ! -s wrong.txt\n` },
  gate: 'sh check.sh',
  honest: ': > wrong.txt; echo mended > notes.txt',
}

/** Leaves these wrong; with a note nothing is ever the same twice. */
function leaves(wrong: readonly string[], note = ''): string {
  return `printf '%s\\n' ${wrong.join(' ')} > wrong.txt; echo '${note}' > notes.txt`
}

const TWO = inTurn(leaves(['one', 'three']), leaves(['two', 'four']))
const THREE = inTurn(leaves(['one', 'three']), leaves(['two', 'four']), leaves(['one', 'five']))
const MOLES = [['two', 'three'], ['three', 'four'], ['one', 'four'], ['one', 'five'], ['two', 'five'], ['two', 'four'], ['one', 'three'], ['three', 'five']]

export const RESTLESS: readonly HostileAgent[] = [
  {
    kind: 'oscillator of 2', name: 'goes to and fro between two states', project: WRONGS, iterations: 8, named: /Pattern: (oscillation, back after 2|contradictory tests)/,
    does: TWO, twin: until(3, TWO, WRONGS.honest),
  },
  {
    kind: 'oscillator of 3', name: 'goes round in a circle of three states', project: WRONGS, iterations: 10, named: /Pattern: oscillation, back after 3/,
    does: THREE, twin: until(4, THREE, WRONGS.honest),
  },
  {
    kind: 'whack-a-mole', name: 'mends one thing and breaks another, never the same twice', project: WRONGS, iterations: 8, named: /Pattern: whack-a-mole/,
    does: inTurn(...MOLES.map((wrong, at) => leaves(wrong, `try ${at}`))), twin: until(3, inTurn(leaves(['two', 'three'], 'a'), leaves(['one', 'four'], 'b')), WRONGS.honest),
  },
  {
    kind: 'repeater', name: 'makes the same wrong change again and again', project: WRONGS, iterations: 4, named: /Pattern: same patch/,
    does: leaves(['one', 'two'], 'mended'), twin: until(2, leaves(['one', 'two'], 'mended'), WRONGS.honest),
  },
]
