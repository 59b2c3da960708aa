// Ranges such as `^1.2.0`, `~1.2.3`, `>=1.0.0 <2.0.0`, `1.x || 3.1.4`.
import { compare, parseVersion, type Version } from './version.ts'

type Comparator = { operator: string; version: Version }

const at = (major: number, minor: number, patch: number): Version => ({ major, minor, patch, pre: [] })

function expand(text: string): Comparator[] {
  if (text === '*' || text === 'x') return []
  const wild = /^(\d+)(?:\.(\d+))?(?:\.x)?$/.exec(text)
  if (wild) {
    const major = Number(wild[1])
    if (wild[2] === undefined) return between(at(major, 0, 0), at(major + 1, 0, 0))
    const minor = Number(wild[2])
    return between(at(major, minor, 0), at(major, minor + 1, 0))
  }
  const match = /^(\^|~|>=|<=|>|<|=)?(.+)$/.exec(text)
  const operator = match?.[1] ?? '='
  const version = parseVersion(match?.[2] ?? '')
  if (operator === '~') return between(version, at(version.major, version.minor + 1, 0))
  if (operator === '^') return between(version, caretEnd(version))
  return [{ operator, version }]
}

/** The leftmost number that is not zero must stay. */
function caretEnd({ major, minor, patch }: Version): Version {
  if (major > 0) return at(major + 1, 0, 0)
  if (minor > 0) return at(0, minor + 1, 0)
  return at(0, 0, patch + 1)
}

function between(low: Version, high: Version): Comparator[] {
  return [{ operator: '>=', version: low }, { operator: '<', version: high }]
}

function holds({ operator, version }: Comparator, candidate: Version): boolean {
  const order = compare(candidate, version)
  switch (operator) {
    case '>=': return order >= 0
    case '<=': return order <= 0
    case '>': return order > 0
    case '<': return order < 0
    default: return order === 0
  }
}

export function satisfies(version: string, range: string): boolean {
  const candidate = parseVersion(version)
  return range.split('||').some((part) => {
    const words = part.trim().split(/\s+/).filter((word) => word !== '')
    return words.flatMap(expand).every((comparator) => holds(comparator, candidate))
  })
}

export function highest(versions: string[], range: string): string | undefined {
  const fitting = versions.filter((version) => satisfies(version, range))
  return fitting.sort((a, b) => compare(parseVersion(b), parseVersion(a)))[0]
}
