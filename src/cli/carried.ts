// What was typed of where sessions are kept goes into every command that is offered: without it that one would look elsewhere.
import { quoteWord } from '../text/prompt/quote.js'

/** Verbs that look for no session, and `demo`, which keeps its own beside it. */
const ELSEWHERE = ['demo', 'init', 'schema', 'completion', 'procedures', 'agents', 'config', 'trust', 'fleet']

/** A command as it is offered, unless it asks for help or says itself where it looks. */
const OFFERED = new RegExp(`\\bgreenlatch (?!(?:${ELSEWHERE.join('|')})\\b)([a-z]+)(?=\\s|$)(?! --help)(?!.*--state-dir)`, 'gm')

let flag = ''

/** As it was typed on this command line. */
export function carryStateDir(folder: string | undefined): void {
  flag = folder === undefined ? '' : ` --state-dir ${quoteWord(folder)}`
}

/** Text for people in which each command that is offered can be typed as it stands. */
export function typeable(text: string): string {
  return flag === '' ? text : text.replaceAll(OFFERED, (command) => `${command}${flag}`)
}
