// The benchmark's own parts that can be wrong in silence: figures, goals, the document, and what a command is said to have taken.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
type Goal = { name: string; measured: string; bound: string; isMet: boolean }
type Section = { title: string; render(figures: unknown): { goals: Goal[]; body: string } }
type Cost = { wall: number; cpu: number; megabytes: number }
const load = (name: string): Promise<unknown> => import(join(root, 'scripts/bench', name))
const { median, goal, largest, table } = (await load('figures.mjs')) as {
  median(numbers: number[]): number
  goal(name: string, value: number, bound: { most?: number; least?: number; why?: string }): Goal
  largest(parts: Record<string, number>): string
  table(head: string[], rows: string[][]): string
}
const { documentOf } = (await load('document.mjs')) as { documentOf(sections: Record<string, Section>, results: Record<string, unknown>): string }
const { waitForCalm } = (await load('calm.mjs')) as { waitForCalm(settings: object): Promise<{ load: number; isCalm: boolean }> }
const { measured, inChild } = (await load('measure.mjs')) as {
  measured(argv: string[], settings: object): Promise<Cost>
  inChild(module: string, name: string, input: unknown): Promise<{ megabytes: number }>
}
type Kept = { syncs: number; files: number; bytes: number; where: string[] }
type Run = (many: number, words: string[]) => Promise<unknown>
const { keptByEach } = (await load('kept.mjs')) as { keptByEach(runs: Record<string, Run>, place: string): Promise<Record<string, Kept>> }

test('A median lies between the two in the middle, and a goal may be bound from either side.', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5])
  expect([goal('a', 3, { most: 3 }), goal('b', 2, { least: 3 })]).toMatchObject([{ isMet: true, bound: 'at most 3' }, { isMet: false, bound: 'at least 3' }])
  expect(largest({ 'the fork': 3, 'the disk': 1, 'less than nothing': -1 })).toBe('the fork (3.00 ms, 75 % of it)')
  expect(table(['a', 'b'], [['x', '1']])).toBe('| a | b |\n| --- | ---: |\n| x | 1 |')
})

test('The document counts the goals that are met, marks the others, and says which parts were not measured and why.', () => {
  const goals = [goal('quick', 1, { most: 2, why: 'not said' }), goal('small', 5, { most: 2, why: 'it is large' }), goal('short', 6, { most: 2, why: 'it is large' })]
  const result = { figures: {}, commit: 'abc', date: '2026-01-01', machine: '2 cores', node: 'v20', load: 0.1, seconds: 3 }
  const silent = (title: string): Section => ({ title, render: () => ({ goals: [], body: '' }) })
  const sections = { one: { title: 'One', render: () => ({ goals, body: 'of it' }) }, two: silent('Two'), three: silent('Three') }
  const text = documentOf(sections, { one: result, three: { failed: 'exit 1: no\nway' } })
  expect(text).toContain('1 of 3 met.')
  expect(text).toContain('Not met, and why:\n\n- small; short: it is large\n\n## One')
  expect(text).toContain('| small | 5 | at most 2 | **not met** |')
  expect(text).toContain('## One\n\nof it\n')
  expect(text).toContain('0.1 processes wanted to run when it began.')
  expect(documentOf(sections, { one: { ...result, isCalm: false } })).toContain('when it began: the machine was busy with something else and did not become calm.')
  expect(text).toContain('## Two\n\nNot measured yet.\n')
  expect(text).toContain('## Three\n\nCould not be measured here: `exit 1: no way`\n')
})

test('The document says of which commit each part is, and that parts are of several.', () => {
  const result = { figures: {}, commit: 'abc', date: '2026-01-01', machine: '2 cores', node: 'v20', load: 0.1, seconds: 3 }
  const part = (title: string): Section => ({ title, render: () => ({ goals: [], body: '' }) })
  const sections = { one: part('One'), two: part('Two'), three: part('Three') }
  expect(documentOf(sections, { one: result, two: result })).toContain('\nAll parts were measured on commit `abc`.\n')
  const mixed = documentOf(sections, { one: result, two: { ...result, commit: 'def+' }, three: { ...result, commit: undefined } })
  expect(mixed).toContain('**Not all parts are of one commit:** some were kept from an earlier run. A + behind a commit: files were changed since.\n\n- commit `abc`: One\n- commit `def+`: Two\n- an unknown commit: Three\n')
  expect(mixed).toContain('Measured on commit `def+`, 2026-01-01, 2 cores')
})

test('A part begins when the load of the one before has died away, or says that it never did.', async () => {
  let left = 40
  expect(await waitForCalm({ others: () => Math.max(0, left--), lookMilliseconds: 1 })).toEqual({ load: 0, isCalm: true })
  expect(await waitForCalm({ others: () => 3, patienceSeconds: 0.1, lookMilliseconds: 1 })).toEqual({ load: 3, isCalm: false })
})

test('A command is measured with the processes it starts, and one that fails is shown with what it printed.', async () => {
  const settings = { cwd: root, env: { PATH: process.env['PATH'] } }
  const busy = await measured(['sh', '-c', `'${process.execPath}' -e 'const end = Date.now() + 300; while (Date.now() < end);'`], settings)
  expect(busy.cpu).toBeGreaterThan(50)
  expect(busy.wall).toBeGreaterThanOrEqual(300)
  expect(busy.megabytes).toBeGreaterThan(20)
  await expect(measured(['sh', '-c', 'echo broken; exit 3'], settings)).rejects.toThrow(/exit 3: broken/)
})

test('The memory of a process is the most it had, however short it lived, and none of what it was forked from.', async () => {
  const settings = { cwd: root, env: { PATH: process.env['PATH'] } }
  const held = Buffer.alloc(200e6, 1)
  const [short, small, own] = [await measured([process.execPath, '-e', '0'], settings), await measured(['true'], settings), await inChild(join(root, 'scripts/bench/figures.mjs'), 'count', held.length)]
  expect(short.megabytes).toBeGreaterThan(30)
  expect(small.megabytes).toBeLessThan(10)
  expect(own.megabytes).toBeLessThan(100)
})

test('What a loop keeps is counted for each iteration, without what a run of one keeps as well.', async () => {
  const place = mkdtempSync(join(tmpdir(), 'greenlatch-kept-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  let made = 0
  const loop = (step: string): Run => (many, words) => {
    const script = `mkdir -p $0/states; echo start > $0/log; i=0; while [ $i -lt ${many} ]; do ${step}; i=$((i+1)); done`
    return measured([...words, 'sh', '-c', script, join(place, `run-${made++}`)], { cwd: place, env: { PATH: process.env['PATH'] } })
  }
  const counted = await keptByEach({ keeps: loop('dd if=/dev/zero of=$0/states/$i bs=100 count=1 conv=fsync'), appends: loop('echo line >> $0/log') }, place)
  expect(counted).toEqual({ keeps: { syncs: 1, files: 1, bytes: 100, where: ['states'] }, appends: { syncs: 0, files: 0, bytes: 5, where: [] } })
})

test('A part that is not there is refused with those that are.', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bench.mjs', '--only', 'loop,lop'], { cwd: root, encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^--only: there is no lop; there are loop, peers, start, .*behaviour\n$/)])
})
