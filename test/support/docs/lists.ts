// Blocks that the runner of the documents does not run itself, and who does.
import type { Block } from './blocks.js'

type Listed = { page: string; lang?: string; begins?: string; test: string }

/** Another test runs the block or makes it; that test names the page. */
export const ELSEWHERE: readonly Listed[] = [
  { page: 'README.md', begins: 'greenlatch 0.1.0 · demo "converge"', test: 'test/demo.test.ts' },
  { page: 'README.md', begins: 'npm install && npm', test: 'scripts/clean-room.mjs' },
  { page: 'docs/watching.md', begins: 'greenlatch · converge · RUNNING', test: 'test/live.test.ts' },
  { page: 'docs/library.md', test: 'test/library.test.ts' },
  { page: 'docs/testing.md', lang: 'js', test: 'test/testing-page.test.ts' },
  { page: 'docs/agent-kit.md', begins: '// mumble', test: 'test/agents-kit-page.test.ts' },
  { page: 'docs/replies.md', test: 'src/text/reply/read-reply.test.ts' },
  { page: 'docs/demo.md', test: 'test/demo.test.ts' },
  { page: 'docs/replay.md', test: 'src/config/policy.test.ts' },
  { page: 'docs/scripted-agent.md', test: 'src/adapters/agents/scripted.test.ts' },
  { page: 'docs/convergence.md', test: 'test/simulate.test.ts' },
]

export function listed(rows: readonly Listed[], block: Block): Listed | undefined {
  return rows.find(({ page, lang, begins = '' }) => page === block.page && (lang === undefined || lang === block.lang) && block.text.startsWith(begins))
}
