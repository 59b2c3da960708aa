// The real agent programs that `npm run test:agents` drives: package, exact version, and where the program lies in it.
import { homedir } from 'node:os'
import { join } from 'node:path'

const platform = `${process.platform}-${process.arch}`

/** The newest versions that run on Node 20. A version is raised here and nowhere else. */
export const AGENTS = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.197', program: 'node_modules/.bin/claude' },
  codex: { package: '@openai/codex', version: '0.166.0', program: 'node_modules/.bin/codex' },
  opencode: { package: 'opencode-ai', version: '1.18.33', program: 'node_modules/.bin/opencode' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', program: 'node_modules/.bin/gemini' },
  qwen: { package: '@qwen-code/qwen-code', version: '0.15.10', program: 'node_modules/.bin/qwen' },
  pi: { package: '@earendil-works/pi-coding-agent', version: '0.74.2', program: 'node_modules/.bin/pi' },
  goose: {
    package: `@aaif/goose-binary-${platform}`,
    version: '1.52.0',
    program: `node_modules/@aaif/goose-binary-${platform}/bin/goose`,
  },
}

export function cacheFolder() {
  return process.env.GREENLATCH_AGENTS_CACHE ?? join(homedir(), '.cache', 'greenlatch-agents')
}

/** Where an agent is installed; the version is part of it, so that a raised one never meets the remains of another. */
export function folderOf(name) {
  return join(cacheFolder(), `${name}-${AGENTS[name].version}`)
}

export function programOf(name) {
  return join(folderOf(name), AGENTS[name].program)
}
