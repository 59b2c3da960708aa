// Reads what the runners of one command have reported, each in the folder it ran in.
import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { ReportFormat, TestRun } from '../../../text/failures/test-run.js'
import { readReport } from '../readers/index.js'
import { entriesOf } from './entries.js'
import { PYTEST_FILE, PYTEST_FOLDER, type Shims } from './shims.js'

/** One start of a runner. `file` is a file that Node was given and that may hold tests or not. */
export type Start = { runner: string; folder: string; run: TestRun | null }

type Noted = { runner: string; format: ReportFormat; cwd: string; path: string }

const FORMATS: readonly string[] = ['junit', 'tap', 'jest', 'mocha', 'go', 'cargo', 'unittest'] satisfies ReportFormat[]
const LONGEST_NOTE_BYTES = 64 * 1024
const MOST_FOLDERS = 20_000

/** Null when the folder of reports is gone or closed: whoever does that has something to hide. */
export async function readReports(shims: Shims, root: string): Promise<Start[] | null> {
  if (!isOpen(shims.reports)) return null
  const noted = [...notedStarts(shims), ...pytestStarts(join(shims.reports, PYTEST_FOLDER))]
  const starts: Start[] = []
  for (const start of noted) {
    const folder = folderIn(root, start.cwd)
    starts.push({ runner: start.runner, folder, run: existsSync(start.path) ? await readOne(start, root, folder) : null })
  }
  return starts
}

function notedStarts({ reports, laidAt }: Shims): Noted[] {
  const numbers = entriesOf(reports).flatMap(({ name }) => (/^\d+\.start$/.test(name) ? [parseInt(name, 10)] : []))
  return numbers.toSorted((one, other) => one - other).flatMap((number) => {
    const [runner = '', format = '', cwd = '', own = ''] = noteIn(join(reports, `${number}.start`)).split('\n')
    if (!FORMATS.includes(format)) return []
    const isOld = own !== '' && changedAt(resolve(cwd, own)) < laidAt
    const path = own === '' ? join(reports, `${number}.${format}`) : isOld ? join(reports, `${number}.own`) : resolve(cwd, own)
    return [{ runner, format: format as ReportFormat, cwd, path: own === '' && runner === 'pytest' ? join(path, PYTEST_FILE) : path }]
  })
}

/** Anything may lie there that a test can make: what is no small plain file is nothing. */
function noteIn(path: string): string {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return entry?.isFile() && entry.size <= LONGEST_NOTE_BYTES ? readFileSync(path, 'utf8') : ''
}

function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return lstatSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** What pytest wrote without its shim lies below the path of the folder it ran in. */
function pytestStarts(top: string): Noted[] {
  const waiting = isOpen(top) ? ['/'] : []
  const found: Noted[] = []
  for (let seen = 0; waiting.length > 0 && seen < MOST_FOLDERS; seen += 1) {
    const cwd = waiting.pop() ?? '/'
    const path = join(top, cwd, PYTEST_FILE)
    if (existsSync(path)) found.push({ runner: 'pytest', format: 'junit', cwd, path })
    const below = entriesOf(join(top, cwd)).filter((entry) => entry.isDirectory() && entry.name !== dirname(PYTEST_FILE))
    waiting.push(...below.map((entry) => join(cwd, entry.name)).toSorted().toReversed())
  }
  return found
}

/** When a file was last written, by a clock that nobody can set back for a single file. */
function changedAt(path: string): bigint {
  try {
    return lstatSync(path, { bigint: true }).ctimeNs
  } catch {
    return -1n
  }
}

/** Relative to the checkout; empty for the checkout itself and for what lies outside it. */
export function folderIn(root: string, cwd: string): string {
  const folder = relative(realPath(root), realPath(cwd))
  return folder.startsWith('..') || isAbsolute(folder) ? '' : folder
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

export function rootsOf(root: string): string[] {
  return [...new Set([root, realPath(root)])]
}

async function readOne({ path, format, runner }: Noted, root: string, folder: string): Promise<TestRun> {
  const read = (prefix: string): Promise<TestRun> => readReport({ path, format, roots: rootsOf(root), prefix })
  const run = await read(folder)
  const base = runner === 'pytest' ? baseOf(run, root, folder) : folder
  return base === folder ? run : read(base)
}

/** pytest names files from where its configuration lies, which may be above the folder it was started in. */
function baseOf({ cases }: TestRun, root: string, folder: string): string {
  const file = cases.find((test) => test.file !== null)?.file
  if (file === null || file === undefined || isAbsolute(file) || existsSync(join(root, file))) return folder
  const own = relative(folder, file)
  for (let above = folder; above !== ''; ) {
    above = dirname(above) === '.' ? '' : dirname(above)
    if (existsSync(join(root, above, own))) return above
  }
  return folder
}
