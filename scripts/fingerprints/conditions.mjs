// The conditions a planted fault is run under: all that may change while the fault stays the same.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `shift`: lines put above the code. `indent`: how often each indentation is repeated. `reversed`: tests and keys in the other order. */
export const CONDITIONS = {
  plain: {
    parent: '/tmp', name: 'checkout-', shift: 0, indent: 1, reversed: false, eol: '\n',
    zone: 'UTC', seed: 1, colour: false, columns: 80,
  },
  moved: {
    parent: '/var/tmp', name: 'build-17-', shift: 37, indent: 1, reversed: false, eol: '\n',
    zone: 'Asia/Tokyo', seed: 4242, colour: true, columns: 60,
  },
  shuffled: {
    parent: '/tmp', name: 'job.', shift: 5, indent: 2, reversed: true, eol: '\r\n',
    zone: 'America/New_York', seed: 77, colour: false, columns: 132,
  },
}

/** What the runner's process sees. Everything that could tell this machine from another is left out. */
export function environmentOf(condition, folder) {
  const colour = condition.colour ? { FORCE_COLOR: '1', CLICOLOR_FORCE: '1', PY_COLORS: '1' } : { NO_COLOR: '1' }
  const temporary = join(folder, '..', `scratch-${condition.seed}`)
  mkdirSync(temporary, { recursive: true })
  return {
    PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', TZ: condition.zone, COLUMNS: String(condition.columns),
    PYTHONHASHSEED: String(condition.seed), PYTHONDONTWRITEBYTECODE: '1', TMPDIR: condition.seed === 1 ? '/tmp' : temporary, ...colour,
  }
}

/** A fresh folder with these files in it, each moved down and in as the condition says. */
export function layOut(condition, files) {
  const folder = join(mkdtempSync(join(condition.parent, condition.name)), 'app')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bent(condition, path, text))
  }
  return folder
}

const COMMENT = { py: '#', go: '//', rs: '//', js: '//', cjs: '//', mjs: '//', ts: '//', c: '//', java: '//' }

function bent({ shift, indent, eol }, path, text) {
  const mark = COMMENT[path.split('.').at(-1)]
  if (mark === undefined) return text
  const above = Array.from({ length: shift }, (_, n) => `${mark} line ${n}`)
  const code = text.split('\n').map((line) => line.replace(/^[ \t]+/, (space) => space.repeat(indent)))
  return [...above, ...code].join(eol)
}

/** The families in the order of the condition. */
export function inOrder({ reversed }, families) {
  const list = Object.entries(families)
  return reversed ? list.toReversed() : list
}
