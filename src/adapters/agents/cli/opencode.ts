// opencode.
import type { Dialect } from './types.js'

export const opencode: Dialect = {
  name: 'opencode',
  program: 'opencode',
  args() {
    return ['run', '--format', 'json']
  },
  env: {},
  newReader: () => () => [],
  priced: false,
  loginFiles: [],
  loginVariables: [],
}
