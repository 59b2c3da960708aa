// What fails, and how many things in words: breaches of the rules are told apart from what the checks say.
import type { Failure, Judgement, Report, Session, Tree } from '../../core/types.js'
import { counted } from '../amounts.js'

type Kind = Pick<Failure, 'class'>

/** What counts of a check: flaky and excused failures do not. */
export function countingIn(report: Pick<Report, 'failures'>, judgement: Pick<Judgement, 'failing' | 'found'>): Failure[] {
  return [...judgement.failing.flatMap((place) => report.failures[place] ?? []), ...judgement.found]
}

/** What fails on a tree that is remembered: the best one, the start, and one that has passed and waits for the deciding check. Null for others. */
export function rememberedOn({ best, origin, passed }: Session, tree: Tree): readonly Failure[] | null {
  return [best, origin].find((place) => place?.tree === tree)?.failing ?? (passed === tree ? [] : null)
}

/** What fails on a tree, as far as it was judged; of one that is not remembered it is what was last told. */
export function failingOn(session: Session, tree: Tree): readonly Failure[] {
  return rememberedOn(session, tree) ?? session.facing
}

/** What is handed over passes, and only the deciding check, which would prove it, is not over. */
export function isUnproved({ finish, tree, passed, outstanding, procedure, at }: Session): boolean {
  const phase = procedure.phases[outstanding?.phase ?? at]
  return finish === null && passed === tree && phase?.kind === 'check' && phase.sealed === true
}

export function breachesIn(failures: readonly Kind[]): number {
  return failures.filter((failure) => failure.class !== 'behaviour').length
}

export function failingWords(failures: readonly Kind[]): string {
  const breaches = breachesIn(failures)
  return `${failures.length - breaches} failing${breaches > 0 ? `, ${counted(breaches, 'breach', 'breaches')}` : ''}`
}
