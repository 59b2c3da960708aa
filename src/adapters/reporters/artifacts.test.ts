// Tests of the artifacts in a session's folder: when they are written, that they come back after a crash, and that they hold nothing up.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inMemory, type World } from '../../../test/support/loop.js'
import { ARTIFACT_SCHEMAS } from '../../config/artifact-schemas.js'
import type { Procedure } from '../../core/types.js'
import type { JournalRecord, Notice } from '../../ports.js'
import { builtinProcedures } from '../../procedures/index.js'
import type { Live } from '../../shell/live.js'
import { run } from '../../shell/run.js'
import { ARTIFACT_NAMES, type ArtifactName } from '../../text/artifacts/artifacts.js'
import { openFolder } from '../journal/folder.js'
import { artifactPath, artifactsOf, withArtifacts } from './artifacts.js'

const converge = builtinProcedures['converge'] as Procedure
const ooda = builtinProcedures['ooda'] as Procedure

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-artifacts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (name: ArtifactName): string => join(folder, artifactPath(name))
const textOf = (name: ArtifactName): string => readFileSync(pathOf(name), 'utf8')
const readAll = (): Record<string, unknown> => Object.fromEntries(ARTIFACT_NAMES.map((name) => [name, JSON.parse(textOf(name))]))
/** A file that is replaced is another one. */
const numbers = (): number[] => ARTIFACT_NAMES.map((name) => statSync(pathOf(name)).ino)

type Kept = { live: Live; notices: Notice[] }

/** A loop in memory whose folder is a real one. */
async function kept(world: Omit<World, 'reporter'>): Promise<Kept> {
  const notices: Notice[] = []
  const { live } = inMemory({ ...world, reporter: { notice: () => {} } })
  live.ports.folder = openFolder(folder)
  await takeUp({ live, notices })
  return { live, notices }
}

async function takeUp({ live, notices }: Kept): Promise<void> {
  live.ports.reporter = await withArtifacts({ notice: (notice) => void notices.push(notice) }, live.ports.folder, live.ports.journal)
}

async function recordsOf({ live }: Kept): Promise<JournalRecord[]> {
  const records: JournalRecord[] = []
  for await (const record of live.ports.journal.records()) records.push(record)
  return records
}

const STALLING: Omit<World, 'reporter'> = { procedure: converge, turns: [{}], gates: [{ failing: ['a', 'b'] }, { failing: ['b'] }] }

describe('the artifacts of a session', () => {
  it('take away what a killed process left of them', async () => {
    const left = ['.completion_reasons.json.tmp', '.diagnosis.md.tmp'].map((name) => join(folder, name))
    for (const path of left) writeFileSync(path, '{"half":')
    await kept(STALLING)
    expect(left.filter((path) => existsSync(path))).toEqual([])
  })

  it('RB-11 lie in its folder at the end, hold to their schemas, and are what the journal makes of them', async () => {
    const session = await kept(STALLING)
    await run(session.live, { resumed: false })
    for (const name of ARTIFACT_NAMES) ARTIFACT_SCHEMAS[name].parse(JSON.parse(textOf(name)))
    expect(readAll()).toEqual(JSON.parse(JSON.stringify(await artifactsOf(await recordsOf(session)))))
    expect(readAll()).toMatchObject({
      baseline_failures: { captured: true, failures: [{ subject: 'a' }, { subject: 'b' }] },
      current_failures: { failures: [{ subject: 'b', status: 'same', baseline: true }], fixed: [{ subject: 'a' }] },
      completion_reasons: { outcome: 'stalled', proved: false, fixed: ['a'], fingerprints: ['1:b'], stall: { rung: 5 } },
    })
  })

  it('RB-11 are kept after each check, so that they tell of a session under way', async () => {
    const seen: unknown[] = []
    const look = { before: () => void seen.push(JSON.parse(textOf('completion_reasons'))) }
    const session = await kept({ ...STALLING, turns: [look] })
    await run(session.live, { resumed: false })
    expect(seen.length).toBeGreaterThan(2)
    expect(seen[0]).toMatchObject({ outcome: null, iteration: 1, reasons: expect.arrayContaining(['test: a', 'test: b']) as string[] })
    expect(seen[1]).toMatchObject({ outcome: null, iteration: 2, fixed: ['a'] })
  })

  it('RB-11 come back from the journal when a session is taken up again, whatever became of the files', async () => {
    const session = await kept({ ...STALLING, procedure: { ...converge, budget: { iterations: 1 } } })
    await run(session.live, { resumed: false })
    const before = readAll()
    rmSync(pathOf('baseline_failures'))
    writeFileSync(pathOf('current_failures'), '{"version": 1, "cut off in the mid')
    writeFileSync(pathOf('completion_reasons'), textOf('completion_reasons').replace('exhausted', 'converged'))
    const untouched = statSync(pathOf('failure_fingerprint_history')).ino
    await takeUp(session)
    await run(session.live, { resumed: true })
    expect(readAll()).toEqual(before)
    expect(statSync(pathOf('failure_fingerprint_history')).ino).toBe(untouched)
  })

  it('are not written again while nothing changes', async () => {
    const session = await kept({ ...STALLING, procedure: { ...converge, budget: { iterations: 1 } } })
    await run(session.live, { resumed: false })
    const before = numbers()
    await takeUp(session)
    await run(session.live, { resumed: true })
    expect(numbers()).toEqual(before)
  })

  it('of a loop without checks are written once, at its end', async () => {
    const procedure = { ...ooda, budget: { ...ooda.budget, iterations: 3 } }
    const look = { before: () => expect(() => textOf('completion_reasons')).toThrow(/ENOENT/) }
    await run((await kept({ procedure, turns: [look] })).live, { resumed: false })
    expect(readAll()).toMatchObject({ completion_reasons: { outcome: 'completed' }, baseline_failures: { captured: false } })
  })

  it('that cannot be written are named once, and hold nothing up', async () => {
    mkdirSync(pathOf('current_failures'))
    const session = await kept(STALLING)
    expect(await run(session.live, { resumed: false })).toEqual({ kind: 'finished' })
    const warnings = session.notices.flatMap((notice) => (notice.kind === 'warning' ? [notice.text] : []))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/^artifacts are out of date: .*current_failures\.json/)
  })

  it('leave what the reporter itself hears as it is', async () => {
    const session = await kept(STALLING)
    await run(session.live, { resumed: false })
    const plain: Notice[] = []
    const { live } = inMemory({ ...STALLING, reporter: { notice: (notice) => void plain.push(notice) } })
    await run(live, { resumed: false })
    expect(session.notices.map(({ kind }) => kind)).toEqual(plain.map(({ kind }) => kind))
  })
})
