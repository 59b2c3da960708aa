// Proves a sample of the corpus of the repair benchmark; `npm run bench:repair -- --check` proves all of it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const corpus = join(root, 'test', 'corpus', 'repair')
const LANGUAGES = ['javascript', 'typescript', 'python'] as const

type Listed = { id: string; language: string; origin: string; kind: string; lines: number; source?: string }
type Parts = Record<'tune' | 'report' | 'fresh', Record<(typeof LANGUAGES)[number], string[]>>

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repair-corpus-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function bench(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/bench-repair.mjs', ...args], { cwd: root, encoding: 'utf8' })
  return { code: status, out: stdout.trim(), err: stderr }
}

function listed(...args: string[]): Listed[] {
  return bench('--list', ...args).out.split('\n').map((line) => JSON.parse(line) as Listed)
}

function parts(): Parts {
  return JSON.parse(readFileSync(join(corpus, 'programs.json'), 'utf8')) as Parts
}

/** A corpus with one program, as it is in the real one. */
function corpusWith(language: string, name: string): string {
  cpSync(join(corpus, language, name), join(folder, language, name), { recursive: true })
  writeFileSync(join(folder, 'programs.json'), JSON.stringify({ tune: { [language]: [name] } }))
  return join(folder, language, name)
}

describe('the corpus of the repair benchmark', () => {
  it('has every program in one part alone, and enough of each language', () => {
    const { tune, report, fresh } = parts()
    for (const [language, least] of [['javascript', 10], ['typescript', 8], ['python', 10]] as const) {
      const names = [...tune[language], ...report[language], ...fresh[language]]
      expect(names.toSorted()).toEqual(readdirSync(join(corpus, language)).toSorted())
      expect(fresh[language].length).toBeGreaterThanOrEqual(5)
      expect(tune[language].length + report[language].length).toBeGreaterThanOrEqual(least)
      expect(Math.abs(tune[language].length - report[language].length)).toBeLessThanOrEqual(1)
    }
  })

  it('has natural bugs of one line and of more in every part', () => {
    for (const args of [['--part', 'tune'], ['--part', 'report', '--seed', '1'], ['--part', 'fresh', '--seed', '1']]) {
      const bugs = listed(...args, '--mutants', '0')
      expect(bugs.length).toBeGreaterThanOrEqual(60)
      expect(bugs.some(({ lines }) => lines > 1)).toBe(true)
      expect(new Set(bugs.map(({ id }) => id)).size).toBe(bugs.length)
    }
  })

  it('is as promised: green programs, and bugs that some visible and some hidden tests see', () => {
    expect(bench('--check', '--program', 'cart,version-range,outline', '--limit', '1')).toMatchObject({ code: 0, out: '3 programs and 3 bugs are as promised' })
  })

  it('names a bug that no test sees, and a program that is not green', () => {
    const place = corpusWith('python', 'roman')
    writeFileSync(join(place, 'bugs.txt'), '@ wrong-constant roman.py\n# no test looks at this\n-"""Roman numerals: reading, writing and counting with them."""\n+"""Roman."""\n')
    expect(bench('--check', '--corpus', folder)).toMatchObject({ code: 1, out: 'roman/1-wrong-constant: no visible test fails\nroman/1-wrong-constant: no hidden test fails' })
    writeFileSync(join(place, 'roman.py'), readFileSync(join(place, 'roman.py'), 'utf8').replace('(90, "XC")', '(80, "XC")'))
    const { code, out } = bench('--check', '--corpus', folder)
    expect(code).toBe(1)
    expect(out).toContain('python/roman: 3 visible tests fail')
  })

  it('has mutants that the seed alone decides', () => {
    const mutants = (seed: string): Listed[] => listed('--part', 'report', '--program', 'units', '--mutants', '1', '--seed', seed, '--json').filter(({ origin }) => origin === 'mutant')
    const once = mutants('5')
    expect(once).toHaveLength(1)
    expect(mutants('5')).toEqual(once)
    expect(mutants('6')[0]?.source).not.toBe(once[0]?.source)
  })

  it('refuses to report on mutants that were tuned on', () => {
    for (const part of ['report', 'fresh'])
      expect(bench('--part', part)).toMatchObject({ code: 2, err: expect.stringContaining(`--part ${part} needs a --seed`) })
    expect(bench('--part', 'other')).toMatchObject({ code: 2, err: expect.stringContaining('--part is one of tune, report, fresh') })
    expect(bench('--part', 'tune', '--seed', '4')).toMatchObject({ code: 2, err: expect.stringContaining('tune has the mutants of seed 1') })
  })

  it('is searched by the agent as it stands', () => {
    const { out, err } = bench('--program', parts().tune.javascript[0] ?? '', '--mutants', '0', '--limit', '1', '--candidates', '3', '--cap', '0', '--json')
    expect(out, err).toMatch(/^\{/)
    const { results } = JSON.parse(out) as { results: { ranked: { tried: number; end: string } }[] }
    expect(results).toMatchObject([{ ranked: { tried: expect.any(Number) as number } }])
    expect(results[0]?.ranked.tried).toBeGreaterThan(0)
  })
})
