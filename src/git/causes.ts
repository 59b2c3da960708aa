// Why git commands fail, in plain words: the known causes by what git says, each with what to do next.
import { EXIT } from '../errors.js'
import { LEAST_BYTES, needAndHave } from '../files/durable.js'
import { quoteWord } from '../text/prompt/quote.js'

export type Cause = { code: number; explanation: string; next: string }

/** `found` are the groups of the pattern, `gitDir` is the repository, for causes whose words do not name it. */
type Tell = (found: readonly string[], gitDir: string) => string

type Row = { says: readonly RegExp[]; code?: number; explanation: Tell; next: Tell }

const look: Tell = (_, gitDir) => `ls -la ${quoteWord(gitDir)}`
const inRepository = (command: string): Tell => (_, gitDir) => `git --git-dir=${quoteWord(gitDir)} ${command}`

/** The first row that fits is taken, so the more exact stand first. All is said in English, since git is started with LC_ALL=C. */
const ROWS: readonly Row[] = [
  {
    says: [/Unable to create '(.+\.lock)': File exists/],
    code: EXIT.locked,
    explanation: ([lock]) => `${lock} is there: another git works in this repository, or one that was killed has left it`,
    next: ([lock = '']) => `wait for the other git; if none is running: rm ${quoteWord(lock)}`,
  },
  {
    says: [/dubious ownership in repository at '(.+)'/],
    explanation: ([folder]) => `${folder} belongs to another user, and git does not trust it`,
    next: ([folder = '']) => `git config --global --add safe.directory ${quoteWord(folder)}`,
  },
  {
    says: [/No space left on device/, /Disk quota exceeded/, /Out of diskspace/],
    explanation: (_, gitDir) => `no space is left where git writes: ${needAndHave(gitDir, LEAST_BYTES)}`,
    next: (_, gitDir) => `df -h ${quoteWord(gitDir)}`,
  },
  {
    says: [/Read-only file system/, /insufficient permission/, /Permission denied/, /Operation not permitted/],
    explanation: () => 'git may not write there, or the file system is read-only',
    next: look,
  },
  {
    says: [/Input\/output error/],
    explanation: () => 'the disk reported an error; what was written last cannot be trusted',
    next: look,
  },
  {
    says: [/unknown repository extension/, /Expected git repo version <=/],
    explanation: () => 'the repository was made by a newer git than the one on PATH',
    next: () => 'git --version',
  },
  {
    says: [
      /bad config /,
      /bad (?:boolean|numeric) config value/,
      /expand include path/,
      /maximum include depth/,
      /failed to expand user dir/,
    ],
    explanation: () => "the repository's configuration cannot be read",
    next: inRepository('config --list'),
  },
  {
    says: [/not a git repository/i],
    explanation: (_, gitDir) => `${gitDir} is not, or is no longer, a git repository`,
    next: look,
  },
  {
    says: [/must be run in a work tree/, /cannot be used without a working tree/],
    explanation: () => 'the repository is bare: it has no files to work with',
    next: () => 'greenlatch -C <folder with the files>',
  },
  {
    says: [
      /is corrupt|object corrupt|inflate: |unable to unpack|hash mismatch/,
      /header for [0-9a-f]+ too long|object file .* is empty|packfile .* (?:cannot be accessed|does not match)/,
      /bad signature 0x|index file (?:corrupt|smaller)/,
    ],
    explanation: () => 'the repository is damaged',
    next: inRepository('fsck'),
  },
  {
    says: [/promisor/, /fetch subprocess/, /lazy fetching disabled/],
    explanation: () => 'an object is missing: the repository is a partial clone, and nothing is fetched from here',
    next: () => 'git fetch --refetch --no-filter',
  },
  {
    says: [
      /unable to read (?:tree|sha1|[0-9a-f]{40})/,
      /missing (?:blob|tree|commit)/,
      /Could not read|(?:bad|invalid|bad tree) object|not a tree object/,
    ],
    explanation: () => 'an object is missing from the repository',
    next: inRepository('fsck --connectivity-only'),
  },
  {
    says: [
      /does not have any commits yet|bad default revision 'HEAD'/,
      /(?:ambiguous argument|bad revision|Not a valid object name:?) '?HEAD(?:'|$)/m,
    ],
    code: EXIT.usage,
    explanation: () => 'the branch has no commit yet',
    next: () => 'git commit --allow-empty -m "first commit"',
  },
  {
    says: [
      /(?:ambiguous argument|bad revision) '(.+?)'/,
      /Not a valid object name:? '?([^'\s]+)/,
      /Needed a single revision|unknown revision/,
    ],
    code: EXIT.usage,
    explanation: ([name]) => `there is no such revision${name === undefined ? '' : ` as ${name}`}`,
    next: () => 'git log --oneline',
  },
  {
    says: [/'(refs\/\S+)' exists; cannot create '(refs\/\S+)'/],
    explanation: ([there, wanted]) => `${wanted} cannot be made while ${there} is there: one name stands in the way of the other`,
    next: ([there = '']) => `git branch -m ${quoteWord(there.replace(/^refs\/heads\//, ''))} <new name>`,
  },
  {
    says: [/cannot lock ref '(\S+)': .*(?:but expected|already exists|unable to resolve)/],
    code: EXIT.locked,
    explanation: ([ref]) => `${ref} was changed by another in the meantime`,
    next: ([ref = '']) => `git log -1 ${quoteWord(ref)}`,
  },
  {
    says: [/identity unknown/, /empty ident name/, /auto-detect email/, /tell me who you are/],
    code: EXIT.usage,
    explanation: () => 'git does not know your name and e-mail address',
    next: () => 'git config --global user.name "<name>" && git config --global user.email <address>',
  },
  {
    says: [/would be overwritten by/],
    code: EXIT.usage,
    explanation: () => 'files of yours that are not committed would be overwritten',
    next: () => 'git status',
  },
  {
    says: [/Could not run 'git status --porcelain=2' in submodule (.+)/],
    explanation: ([path]) => `the submodule ${path} would have to be looked into, which could run its programs`,
    next: () => 'git submodule status',
  },
]

export function causeOf(said: string, gitDir: string): Cause | null {
  for (const { says, code = EXIT.state, explanation, next } of ROWS) {
    const match = says.map((pattern) => pattern.exec(said)).find((found) => found !== null)
    if (match) return { code, explanation: explanation(match.slice(1), gitDir), next: next(match.slice(1), gitDir) }
  }
  return null
}
