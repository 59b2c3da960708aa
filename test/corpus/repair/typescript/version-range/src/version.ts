// Versions of three numbers with an optional pre-release, and their order.

export type Version = { major: number; minor: number; patch: number; pre: string[] }

const FORM = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/

export function parseVersion(text: string): Version {
  const match = FORM.exec(text.trim())
  if (!match) throw new Error(`not a version: ${text}`)
  const [, major, minor, patch, pre] = match
  return { major: Number(major), minor: Number(minor), patch: Number(patch), pre: pre ? pre.split('.') : [] }
}

export function format({ major, minor, patch, pre }: Version): string {
  const core = `${major}.${minor}.${patch}`
  return pre.length > 0 ? `${core}-${pre.join('.')}` : core
}

/** Below zero when a comes before b. A pre-release comes before its release. */
export function compare(a: Version, b: Version): number {
  if (a.major !== b.major) return a.major - b.major
  if (a.minor !== b.minor) return a.minor - b.minor
  if (a.patch !== b.patch) return a.patch - b.patch
  if (a.pre.length === 0 && b.pre.length === 0) return 0
  if (a.pre.length === 0) return 1
  if (b.pre.length === 0) return -1
  return comparePre(a.pre, b.pre)
}

function comparePre(a: string[], b: string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const left = a[at]
    const right = b[at]
    if (left === undefined) return -1
    if (right === undefined) return 1
    if (left === right) continue
    const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
    if (leftIsNumber && rightIsNumber) return Number(left) - Number(right)
    if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1
    return left < right ? -1 : 1
  }
  return 0
}
