// What minimising came to, for people and for programs.
import { counted } from '../text/amounts.js'
import { sizeText, type Minimised } from './minimise.js'
import type { Output } from './output.js'

const MOST_NAMED = 10

export function tellMinimised({ say }: Pick<Output, 'say'>, id: string, done: Minimised): void {
  switch (done.kind) {
    case 'interrupted':
      return say(`minimising was interrupted; session ${id} is as it was\n  once more:  greenlatch minimise ${id}`)
    case 'as it was':
      return say(`session ${id} is as it was: ${done.why}`)
    case 'smaller': {
      const { from, left, kept, pieces, trials, whole } = done
      const more = left.length - MOST_NAMED
      const named = `${left.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
      const bounds = whole ? '' : '\n  the bounds were reached, so more could perhaps go'
      say(`minimised: ${kept} of ${pieces} pieces are needed, ${sizeText(done.after)} instead of ${sizeText(done.before)} (${counted(trials, 'trial')})`)
      say(`  left out:        ${named}${bounds}`)
      return say(`  what it holds:   greenlatch diff ${id}\n  what went:       greenlatch diff ${id} --iter minimised..${from}\n  take it back:    greenlatch undo ${id}`)
    }
  }
}

export function minimisedFields(done: Minimised): object {
  if (done.kind !== 'smaller') return { result: done.kind, ...(done.kind === 'as it was' && { why: done.why }) }
  const { kind, left, whole, ...rest } = done
  return { result: kind, ...rest, left_out: left, whole }
}
