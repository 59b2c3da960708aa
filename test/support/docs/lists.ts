// Blocks that the runner of the documents does not run itself: those another test runs, and those that cannot be run here.
import type { Block } from './blocks.js'

type Listed = { page: string; lang?: string; begins?: string }

/** Another test runs the block or makes it; that test names the page. */
export const ELSEWHERE: readonly (Listed & { test: string })[] = [
  { page: 'README.md', begins: 'greenlatch 0.1.0 · demo "converge"', test: 'test/demo.test.ts' },
  { page: 'docs/library.md', test: 'test/library.test.ts' },
  { page: 'docs/testing.md', lang: 'js', test: 'test/testing-page.test.ts' },
  { page: 'docs/agent-kit.md', begins: '// mumble', test: 'test/agents-kit-page.test.ts' },
  { page: 'docs/replies.md', test: 'src/text/reply/read-reply.test.ts' },
  { page: 'docs/demo.md', test: 'test/demo.test.ts' },
  { page: 'docs/replay.md', test: 'src/config/policy.test.ts' },
  { page: 'docs/scripted-agent.md', test: 'src/adapters/agents/scripted.test.ts' },
  { page: 'docs/convergence.md', test: 'test/simulate.test.ts' },
]

/** Why it is not run, for whoever reads the output of the test. */
export const NOT_RUN: readonly (Listed & { why: string })[] = [
  { page: 'README.md', begins: 'npm install && npm', why: 'needs the package registry; .ci/run installs and runs the same suites, test/demo.test.ts the same demo' },
  { page: 'docs/decisions/README.md', why: 'no snippet: the headings of a decision' },
  { page: 'docs/watching.md', begins: 'greenlatch · converge · RUNNING', why: 'no snippet: a picture of the screen; test/live.test.ts holds screens against test/golden' },
]

export function listed<Row extends Listed>(rows: readonly Row[], block: Block): Row | undefined {
  return rows.find(({ page, lang, begins = '' }) => page === block.page && (lang === undefined || lang === block.lang) && block.text.startsWith(begins))
}
