// gemini.
import type { Dialect } from './types.js'

export const gemini: Dialect = {
  name: 'gemini',
  program: 'gemini',
  args() {
    return ['-p', '']
  },
  env: {},
  newReader: () => () => [],
  priced: false,
  loginFiles: [],
  loginVariables: [],
}
