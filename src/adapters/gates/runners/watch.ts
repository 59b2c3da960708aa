// How one run of a command is watched for what its tests say: by shims that make runners report, by files it writes itself, or not at all.
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment } from '../../../process/environment.js'
import { counted } from '../../../text/amounts.js'
import type { TestRun } from '../../../text/failures/test-run.js'
import { remarksOf, type Output, type Remarks } from '../output.js'
import { readReport } from '../readers/index.js'
import { hasDoubtfulBytecode } from './bytecode.js'
import { entriesOf } from './entries.js'
import { freshOf, marksOf, type ReportOption } from './report-files.js'
import { folderIn, readReports, rootsOf } from './reports.js'
import { layShims } from './shims.js'
import { faultOf, mergeRuns, NOTHING_TOLD, toldBy, type Told } from './told.js'

export type WatchOptions = {
  runner?: 'auto' | 'none' | undefined
  report?: ReportOption | undefined
  testTimeoutSeconds?: number | undefined
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** The checkout, and the folder in it that the command runs in. */
  root: string
  cwd: string
  base: string
  only: readonly string[] | null
}

export type Watch = {
  /** What the command has to see and to write, outside the checkout. */
  folders: readonly string[]
  environment: Record<string, string | undefined>
  told(output: Output): Promise<{ told: Told; remarks: Remarks }>
  remove(): void
}

/** What a pytest or Python that we are started from has set for itself. */
const FOREIGN = { PYTEST_CURRENT_TEST: undefined, PYTEST_XDIST_WORKER: undefined, PYTEST_VERSION: undefined }
const HIDDEN: Told = { ...NOTHING_TOLD, complete: false, notes: ['the folder of reports is gone'] }
const NO_REMARKS: Remarks = { assertions: [], withoutTests: 0 }

export function watch(options: WatchOptions): Watch {
  if (options.report) return watchFiles(options, options.report)
  return options.runner === 'none' || !existsSync(options.cwd) ? watchNothing(options) : watchRunners(options)
}

function watchNothing({ env }: WatchOptions): Watch {
  return {
    folders: [],
    environment: { ...FOREIGN, ...env },
    told: async (output) => ({ told: NOTHING_TOLD, remarks: await remarksOf(output) }),
    remove: () => {},
  }
}

function watchRunners(options: WatchOptions): Watch {
  const { root, env } = options
  const found = childEnvironment(process.env, { cwd: options.cwd, tree: '', extra: env })
  const shims = layShims({ ...options, environment: found, testTimeoutSeconds: options.testTimeoutSeconds ?? null })
  return {
    folders: [shims.folder],
    environment: { ...FOREIGN, ...pythonEnvironment(root, shims.folder), ...env, ...shims.environment },
    async told(output) {
      const remarks = await remarksOf(output)
      const starts = await readReports(shims, root)
      return { told: starts === null ? HIDDEN : toldBy(starts, remarks.withoutTests), remarks }
    },
    remove: () => removeFolder(shims.folder),
  }
}

/** Nothing of Python's is written into the checkout; what lies there compiled is passed over when it may belong to other sources. */
function pythonEnvironment(root: string, folder: string): Record<string, string> {
  const cache = hasDoubtfulBytecode(root) ? { PYTHONPYCACHEPREFIX: join(folder, 'pycache') } : {}
  return { PYTHONDONTWRITEBYTECODE: '1', ...cache }
}

function watchFiles({ root, cwd, base, env }: WatchOptions, { path, format }: ReportOption): Watch {
  const before = marksOf(cwd, path)
  const folder = `${base}.reports`
  return {
    folders: [],
    environment: { ...FOREIGN, ...pythonEnvironment(root, folder), ...env },
    async told() {
      const { fresh, stale } = freshOf(before, marksOf(cwd, path))
      const runs: TestRun[] = []
      for (const name of fresh) runs.push(await readReport({ path: join(cwd, name), format, roots: rootsOf(root), prefix: folderIn(root, cwd) }))
      return { told: toldByFiles(path, runs, stale), remarks: NO_REMARKS }
    },
    remove: () => removeFolder(folder),
  }
}

/** A command that should write a report and does not has shown nothing. */
function toldByFiles(path: string, runs: readonly TestRun[], stale: number): Told {
  const left = stale === 0 ? [] : [`${counted(stale, 'report')} of an earlier run not read`]
  const merged = mergeRuns(runs)
  const trouble = { subject: `report ${path}`, fault: faultOf('crash', 'no report was written') }
  const missing = runs.length > 0 ? {} : { complete: false, silent: 1, troubles: [trouble], notes: [`no report in ${path}`] }
  return { ...merged, ...missing, notes: [...(missing.notes ?? merged.notes), ...left] }
}

/** A test may have closed it. What cannot be taken away does no harm. */
function removeFolder(folder: string): void {
  try {
    if (!existsSync(folder)) return
    chmodSync(folder, 0o700)
    for (const entry of entriesOf(folder)) if (entry.isDirectory()) chmodSync(join(folder, entry.name), 0o700)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // It stays.
  }
}
