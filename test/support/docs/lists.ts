// Blocks that the runner of the documents does not run itself, by the names under which other tests read them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { blocksOf, ROOT, type Block } from './blocks.js'

/** `count` is exact: one more block of its kind would be excused by a test that never reads it. */
type Listed = { page: string; langs?: readonly string[]; begins?: string; count: number; test: string }

/** `test` reads the blocks with `examplesOf` and runs them, or makes them anew. */
export const ELSEWHERE = {
  'a demo': { page: 'README.md', begins: 'greenlatch 0.1.0 · demo "converge"', count: 1, test: 'test/demo.test.ts' },
  'after a demo': { page: 'docs/demo.md', count: 1, test: 'test/demo.test.ts' },
  'the screen': { page: 'docs/watching.md', begins: 'greenlatch · converge · RUNNING', count: 1, test: 'test/live.test.ts' },
  'the library': { page: 'docs/library.md', count: 6, test: 'test/library.test.ts' },
  'a model server': { page: 'docs/testing.md', count: 1, test: 'test/testing-page.test.ts' },
  'the agent kit': { page: 'docs/agent-kit.md', begins: '// mumble', count: 2, test: 'test/agents-kit-page.test.ts' },
  'far ends': { page: 'docs/agent-kit.md', begins: 'import { test }', count: 1, test: 'test/docs-programs.test.ts' },
  'hostile agents': { page: 'docs/hostile.md', count: 1, test: 'test/docs-programs.test.ts' },
  'a far sandbox': { page: 'docs/sandbox.md', langs: ['ts'], count: 1, test: 'test/docs-programs.test.ts' },
  'profiles in programs': { page: 'docs/profiles.md', langs: ['js', 'ts'], count: 2, test: 'test/artifact-profiles.test.ts' },
  replies: { page: 'docs/replies.md', count: 47, test: 'src/text/reply/read-reply.test.ts' },
  'a policy': { page: 'docs/replay.md', count: 1, test: 'src/config/policy.test.ts' },
  'a script': { page: 'docs/scripted-agent.md', count: 1, test: 'src/adapters/agents/scripted.test.ts' },
  'a workflow': { page: 'docs/how-to/ci.md', langs: ['yaml'], begins: 'name: ', count: 1, test: 'test/docs-workflow.test.ts' },
  'a workflow of the README': { page: 'README.md', langs: ['yaml'], count: 1, test: 'test/docs-workflow.test.ts' },
  'the curve': { page: 'docs/convergence.md', count: 1, test: 'test/simulate.test.ts' },
} as const satisfies Record<string, Listed>

export type ExampleName = keyof typeof ELSEWHERE

const rows = Object.entries(ELSEWHERE) as [ExampleName, Listed][]

/** These wait for a fresh clone: a script types them, and has them written down as they stand here. */
export const TYPED_BY_SCRIPTS: readonly Listed[] = [{ page: 'README.md', begins: 'npm install && npm', count: 2, test: 'scripts/clean-room.mjs' }]

export function listed(block: Block): Listed | undefined {
  return [...rows.map(([, row]) => row), ...TYPED_BY_SCRIPTS].find((row) => isOf(row, block))
}

/** A line for each entry that excuses more blocks than its test reads, or fewer. */
export function wrongCounts(): string[] {
  return [...rows.map(([, row]) => row), ...TYPED_BY_SCRIPTS].flatMap((row) => {
    const found = blocksOf(row.page).filter((block) => isOf(row, block)).length
    return found === row.count ? [] : [`${row.page}: ${found} blocks for ${row.test}, which reads ${row.count}`]
  })
}

function isOf({ page, langs, begins = '' }: Listed, block: Block): boolean {
  return page === block.page && (langs === undefined || langs.includes(block.lang)) && block.text.startsWith(begins)
}

/** In their order on the page; there is at least one. */
export function examplesOf(name: ExampleName): [Block, ...Block[]] {
  const [first, ...more] = blocksOf(ELSEWHERE[name].page).filter((block) => isOf(ELSEWHERE[name], block))
  if (!first) throw new Error(`${ELSEWHERE[name].page} has no block of "${name}"`)
  return [first, ...more]
}

/** Names of the examples that their test never reads; what stands in a comment reads nothing. */
export function unread(): ExampleName[] {
  return rows.filter(([name, { test }]) => !namesReadIn(test).includes(name)).map(([name]) => name)
}

function namesReadIn(test: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'examplesOf') names.push(...node.arguments.filter((one) => ts.isStringLiteral(one)).map(({ text }) => text))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(test, readFileSync(join(ROOT, test), 'utf8'), ts.ScriptTarget.ES2023, true))
  return names
}
