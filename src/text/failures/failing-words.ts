// What fails, and how many things in words: breaches of the rules are told apart from what the checks say.
import type { Failure, Judgement, Report, Session, Tree } from '../../core/types.js'
import { counted } from '../amounts.js'

type Kind = Pick<Failure, 'class'>

/** What counts of a check: flaky and excused failures do not. */
export function countingIn(report: Pick<Report, 'failures'>, judgement: Pick<Judgement, 'failing' | 'found'>): Failure[] {
  return [...judgement.failing.flatMap((place) => report.failures[place] ?? []), ...judgement.found]
}

/** What fails on a tree, as far as it was judged: the best one and the start tree are remembered, else it is the last. */
export function failingOn({ best, origin, facing }: Session, tree: Tree): readonly Failure[] {
  return [best, origin].find((place) => place?.tree === tree)?.failing ?? facing
}

export function breachesIn(failures: readonly Kind[]): number {
  return failures.filter((failure) => failure.class !== 'behaviour').length
}

export function failingWords(failures: readonly Kind[]): string {
  const breaches = breachesIn(failures)
  return `${failures.length - breaches} failing${breaches > 0 ? `, ${counted(breaches, 'breach', 'breaches')}` : ''}`
}
