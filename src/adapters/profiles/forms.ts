// How to answer, where a profile lets the response be read for it.
import { FILE_BLOCKS, formFor } from '../../text/reply/forms.js'
import type { ReplyForm } from './types.js'

const PLAN = 'Your whole answer is the plan, in Markdown. It is kept as you write it.'

/** Nothing here is a status line itself: whoever repeats the prompt has said nothing. */
const OTHERWISE = `Only when you cannot answer, make the last line of your answer the word \`STATUS\`, a colon, then \`ERROR\` and the reason in a few words.
Where the work should not be done at all, write \`CANCELLED\` instead. Everything ends there, so in every other case leave that line out.`

export function formText(form: ReplyForm | null): string {
  switch (form) {
    case null:
      return ''
    case 'plan':
      return `${PLAN}\n\n${OTHERWISE}`
    case 'blocks':
      return `${FILE_BLOCKS}\n\n${OTHERWISE}`
    case 'verdict':
      return `${formFor({ yields: 'review', judges: true, inText: true })}\n\n${OTHERWISE}`
  }
}
