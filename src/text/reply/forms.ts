// How an answer has to be written, for the prompt. Nothing here reads as an answer itself: an agent that repeats it has said nothing.
import type { AskPhase } from '../../core/types.js'
import { inlineCode } from '../prompt/delimited.js'

/** `inText`: whoever answers writes files into the answer; `edits`: it may change them in the folder instead. `commands`: how those begin that are run; undefined where that is not known. */
export type Asked = Pick<AskPhase, 'yields' | 'wants' | 'judges'> & { inText: boolean; edits?: boolean; commands?: readonly string[] | undefined }

const MOST_NAMED_COMMANDS = 20
const PATHS = 'Paths are relative to the folder of the project.'

const TALKS = 'You cannot edit files here: write each file that you change or add into your answer, whole, as a block. A file without a block stays as it is.'
const TALKS_OR_EDITS = 'Change files in the folder itself, or write each file that you change or add into your answer, whole, as a block. A file without a block stays as it is.'

const BLOCKS = `\`\`\`text
=== FILE <path> ===
<the whole new content>
=== END ===
\`\`\`

Write nothing between two blocks. Where a file itself holds such a line, put a word of your own into both marks of its block:

\`\`\`text
=== FILE <path> :: <word> ===
<the whole new content>
=== END :: <word> ===
\`\`\`

A file that shall go has a block of one line:

\`\`\`text
=== DELETE <path> ===
\`\`\`

${PATHS}`

/** Files alone, for whoever has no commands run. */
export const FILE_BLOCKS = `${TALKS}\n\n${BLOCKS}`

const PARTS = `A file of which you change little can have a block of parts instead. The old lines have to be as they are in the file, and in one place of it only; take more lines around them where there are several:

\`\`\`text
=== EDIT <path> ===
<<<<<<< SEARCH
<old lines>
=======
<new lines>
>>>>>>> REPLACE
=== END ===
\`\`\`

All blocks are taken, or none: where one cannot be, nothing is written.`

const COMMANDS = `Commands that you want run go into a block of their own, one to a line. They are run when the files are written, without a shell: one program with its arguments, no pipes, no variables.

\`\`\`text
=== COMMAND ===
<command>
=== END ===
\`\`\``

function candidateForm({ edits, commands }: Asked): string {
  const files = `${edits ? TALKS_OR_EDITS : TALKS}\n\n${BLOCKS}\n\n${PARTS}`
  if (commands?.length === 0) return files
  const named = commands?.slice(0, MOST_NAMED_COMMANDS).map(inlineCode).join(', ')
  return `${files}\n\n${COMMANDS}${named === undefined ? '' : `\n\nOnly these are run, \`*\` standing for anything: ${named}`}`
}

const TEST_PLAN = `Answer with one JSON object of this form:

    { "tests": [ { "path": …, "content": … } ], "plan": [ { "path": …, "change": … } ] }

- \`tests\`: at least one test file; \`content\` is the whole file.
- \`plan\`: at least one step; \`path\` is the file to change or add, \`change\` says what to do there.

${PATHS}`

const PLAN = `Answer with the steps in their order, each with the file that it is about. Where you can, write them as one JSON object:

    { "plan": [ { "path": …, "change": … } ] }

${PATHS}`

const JUDGEMENT = `Answer with one JSON object of this form:

    { "verdict": …, "findings": [ { "category": …, "severity": …, "path": …, "line": …, "snippet": …, "description": …, "fix": … } ] }

- \`verdict\`: "pass" or "fail". Say "fail" only with findings, and name each fault once.
- \`category\`: one word, such as security, correctness or design. \`severity\`: "error", "warning" or "note"; an error always fails.
- \`snippet\`: the lines in question. \`fix\`: what to do instead.

${PATHS}`

const ADVICE = `Answer with one JSON object of this form:

    { "diagnosis": …, "plan": [ { "path": …, "change": … } ], "code": [ { "path": …, "content": … } ] }

- \`diagnosis\`: why it does not work yet, in a few sentences.
- \`plan\`: what to do next; leave it empty to keep the plan as it is.
- \`code\`: whole files or parts that you suggest; may be empty.

${PATHS}`

const AUDIT = `Answer with one JSON object of this form:

    { "tests_correct": …, "issues": [ … ], "tests": [ { "path": …, "content": … } ] }

- \`tests_correct\`: true or false. Only a test that contradicts the task is wrong; one that is hard to pass is not.
- \`issues\`: what is wrong, one sentence each.
- \`tests\`: the corrected test files, whole. Every test has to be in them still.

${PATHS}`

const AMENDMENT = `Answer with one JSON object of this form:

    { "diagnosis": …, "dk_addition": …, "confidence": … }

- \`diagnosis\`: which knowledge the task lacks.
- \`dk_addition\`: the facts to add to the task, short and plain; longer texts are cut.
- \`confidence\`: "high", "medium" or "low". Say "low" when you are not sure: nothing is added then.`

/** Empty where any answer will do. */
export function formFor(asked: Asked): string {
  const { yields, wants, judges, inText } = asked
  switch (yields) {
    case 'plan':
      return wants === 'tests' ? TEST_PLAN : PLAN
    case 'candidate':
      return inText ? candidateForm(asked) : ''
    case 'review':
      return judges ? JUDGEMENT : ADVICE
    case 'tests':
      return AUDIT
    case 'amendment':
      return AMENDMENT
    case 'response':
      return ''
  }
}
