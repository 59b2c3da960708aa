// qwen.
import type { Dialect } from './types.js'

export const qwen: Dialect = {
  name: 'qwen',
  program: 'qwen',
  args() {
    return ['--output-format', 'stream-json']
  },
  env: {},
  newReader: () => () => [],
  priced: false,
  loginFiles: [],
  loginVariables: [],
}
