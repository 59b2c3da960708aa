// pi.
import type { Dialect } from './types.js'

export const pi: Dialect = {
  name: 'pi',
  program: 'pi',
  args() {
    return ['-p', '--mode', 'json']
  },
  env: {},
  newReader: () => () => [],
  priced: false,
  loginFiles: [],
  loginVariables: [],
}
