// goose.
import type { Dialect } from './types.js'

export const goose: Dialect = {
  name: 'goose',
  program: 'goose',
  args() {
    return ['run', '-i', '-']
  },
  env: {},
  newReader: () => () => [],
  priced: false,
  loginFiles: [],
  loginVariables: [],
}
