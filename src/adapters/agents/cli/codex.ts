// codex.
import type { Dialect } from './types.js'

export const codex: Dialect = {
  name: 'codex',
  program: 'codex',
  args() {
    return ['exec', '--json', '-']
  },
  env: {},
  newReader: () => () => [],
  priced: false,
  loginFiles: [],
  loginVariables: [],
}
