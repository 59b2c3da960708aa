// The findings of reviews as SARIF 2.1.0, for whatever shows such findings beside the code.
import type { Failure, Finding } from '../core/types.js'

export type SarifInput = {
  /** Of Greenlatch itself. */
  version: string
  session: string
  /** What each review said last, and what it had said of the tree before; null where there was no review before it. */
  reviews: readonly { phase: string; failures: readonly Failure[]; before: readonly Failure[] | null }[]
}

type State = 'new' | 'unchanged' | 'absent'
type Found = { failure: Failure; state: State | null }
const NO_FINDING: Finding = { category: '', severity: 'warning', path: '', snippet: '', fix: '' }

/** Where nothing was reviewed nothing was found: whoever uploads it gets a run without results. */
export function sarifOf({ version, session, reviews: said }: SarifInput): object {
  const reviews = said.length > 0 ? said : [{ phase: 'review', failures: [], before: null }]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: reviews.map(({ phase, failures, before }) => {
      const found = foundIn(failures, before)
      const rules = [...new Set(found.map(({ failure }) => ruleOf(failure)))]
      return {
        tool: { driver: { name: 'Greenlatch', version, rules: rules.map((id) => ({ id })) } },
        automationDetails: { id: `greenlatch/${phase}/${session}` },
        columnKind: 'utf16CodeUnits',
        results: found.map((one) => resultOf(one, rules)),
      }
    }),
  }
}

/** What was found before and is not any more is listed too, as absent. */
function foundIn(failures: readonly Failure[], before: readonly Failure[] | null): Found[] {
  if (before === null) return failures.map((failure) => ({ failure, state: null }))
  const [old, now] = [printsOf(before), printsOf(failures)]
  return [
    ...failures.map((failure): Found => ({ failure, state: old.has(failure.fingerprint) ? 'unchanged' : 'new' })),
    ...before.filter(({ fingerprint }) => !now.has(fingerprint)).map((failure): Found => ({ failure, state: 'absent' })),
  ]
}

function printsOf(failures: readonly Failure[]): Set<string> {
  return new Set(failures.map(({ fingerprint }) => fingerprint))
}

function ruleOf({ finding, gate }: Failure): string {
  return finding?.category || gate
}

function resultOf({ failure, state }: Found, rules: readonly string[]): object {
  const { severity, path, line, snippet, fix } = failure.finding ?? NO_FINDING
  const ruleId = ruleOf(failure)
  return {
    ruleId,
    ruleIndex: rules.indexOf(ruleId),
    level: severity,
    message: { text: fix === '' ? failure.message : `${failure.message}\nFix: ${fix}` },
    ...(isInside(path) && { locations: [{ physicalLocation: placeOf(path, line, snippet) }] }),
    partialFingerprints: fingerprintsOf(failure.fingerprint),
    ...(state !== null && { baselineState: state }),
  }
}

function placeOf(path: string, line: number | undefined, snippet: string): object {
  const artifactLocation = { uri: uriOf(path) }
  if (line === undefined) return { artifactLocation }
  return { artifactLocation, region: { startLine: line, ...(snippet !== '' && { snippet: { text: snippet } }) } }
}

/** A reviewer may name anything; only a file of the repository is a place. */
function isInside(path: string): boolean {
  return path !== '' && !/^([/\\]|[a-zA-Z]:)/.test(path) && !path.split(/[/\\]/).includes('..')
}

/** Relative, with everything escaped that a name of a file may hold and an address may not. */
function uriOf(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/')
  return parts.map((part) => encodeURIComponent(part.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'))).join('/')
}

/** `2:abc…` is the identity `abc…` by the second recipe. */
function fingerprintsOf(fingerprint: string): Record<string, string> {
  const [, version = '1', hash = fingerprint] = /^(\d+):(.+)$/.exec(fingerprint) ?? []
  return { [`greenlatch/v${version}`]: hash }
}
