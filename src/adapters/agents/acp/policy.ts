// What an agent is allowed when it asks: decided by kinds of tools, and answered only with what it offered itself.
import type { ToolKind } from '../../../agent-entry.js'

/** For work without a person: everything in the checkout, which is judged afterwards, but nothing that reaches beyond it by its kind. */
export const UNATTENDED: readonly ToolKind[] = ['read', 'search', 'think', 'edit', 'move', 'delete', 'execute']

const KINDS: ReadonlySet<string> = new Set<ToolKind>([...UNATTENDED, 'fetch', 'other'])

/** What the protocol leaves out or has anew is `other`. */
export function kindOf(value: unknown): ToolKind {
  return typeof value === 'string' && KINDS.has(value) ? (value as ToolKind) : 'other'
}

export type Option = { optionId: string; kind: string }

/** `refusal`: why it would be turned down whatever its kind, such as a file that is out of scope. */
export type Wish = { kind: ToolKind; options: readonly Option[]; refusal: string | null }

/** `optionId` is null when nothing that fits was offered: the request is then answered as cancelled. `open`: only the list is against it. */
export type Decision = { allowed: boolean; optionId: string | null; why: string; open: boolean }

/** Once is preferred to always: the next wish may be another. */
const ALLOWING = ['allow_once', 'allow_always']
const REJECTING = ['reject_once', 'reject_always']

export function decide({ kind, options, refusal }: Wish, tools: ReadonlySet<ToolKind>): Decision {
  const why = refusal ?? (tools.has(kind) ? null : notAllowed(kind))
  const optionId = firstOf(options, why === null ? ALLOWING : REJECTING)
  if (why !== null) return { allowed: false, optionId, why, open: refusal === null && firstOf(options, ALLOWING) !== null }
  if (optionId === null) return { allowed: false, optionId: firstOf(options, REJECTING), why: 'it offered no way to allow it', open: false }
  return { allowed: true, optionId, why: `${kind} is allowed`, open: false }
}

export function notAllowed(kind: ToolKind): string {
  return `${kind} is not among the tools it is allowed`
}

/** The same wish after a person has allowed it. */
export function allowedBy(person: string, { options }: Pick<Wish, 'options'>): Decision {
  return { allowed: true, optionId: firstOf(options, ALLOWING), why: `${person} allowed it`, open: false }
}

function firstOf(options: readonly Option[], kinds: readonly string[]): string | null {
  const wanted = kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])
  return wanted[0]?.optionId ?? null
}

/** The options of a request that can be chosen at all; what has no name or no kind cannot. */
export function optionsIn(value: unknown): Option[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each: unknown) => {
    const { optionId, kind } = (each ?? {}) as Record<string, unknown>
    return typeof optionId === 'string' && typeof kind === 'string' ? [{ optionId, kind }] : []
  })
}
