// claude.
import type { Dialect } from './types.js'

export const claude: Dialect = {
  name: 'claude',
  program: 'claude',
  args({ model }) {
    return ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions', ...(model === null ? [] : ['--model', model])]
  },
  env: {},
  newReader: () => () => [],
  priced: false,
  loginFiles: [],
  loginVariables: [],
}
