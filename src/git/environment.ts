// What a git that we start finds around it: no inherited variable, no program to find, and a setting for whatever could run one.
import type { Repository } from './git.js'

export type Setting = readonly [key: string, value: string]

/** Neither a folder nor a program: looking for anything in it finds nothing. */
const NOWHERE = '/dev/null'

/** Laid over every repository. What has a name of its own in the key (`filter.<name>.clean`) is blanked by drivers.ts. */
const ALWAYS: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['sequence.editor', 'false'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.askPass', ''],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['interactive.diffFilter', ''],
  ['init.templateDir', ''],
  ['uploadpack.packObjectsHook', ''],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['status.submoduleSummary', 'false'],
  ['diff.submodule', 'short'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
  ['advice.detachedHead', 'false'],
  ['advice.addEmbeddedRepo', 'false'],
  ['core.commentChar', '#'],
]

/** What names a program or a protocol by which another repository is reached: there the user's own word counts. */
const ABOUT_REACHING: ReadonlySet<string> = new Set(['core.sshCommand', 'core.gitProxy', 'credential.helper', 'protocol.allow'])
const PROTOCOLS = ['file', 'git', 'http', 'https', 'ssh']
const REACHES: readonly Setting[] = [['protocol.allow', 'never'], ...PROTOCOLS.map((name) => [`protocol.${name}.allow`, 'always'] as const)]

const NO_HOOKS: readonly Setting[] = [['core.hooksPath', NOWHERE]]

const NO_SIGNING: readonly Setting[] = [
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.ssh.defaultKeyCommand', ''],
]

const VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  TZ: 'UTC',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // What we make has its refs in files, whatever a newer git would choose: new ones are written by ourselves.
  GIT_DEFAULT_REF_FORMAT: 'files',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
}

/** Handed on when the user's own configuration is to be read: where it lies, and who they say they are. */
const USER_VARIABLES = [
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'EMAIL',
]
/** What the user's own hooks, filters and signing programs need. */
const PROGRAM_VARIABLES = ['PATH', 'SHELL', 'USER', 'LOGNAME', 'GPG_TTY', 'GNUPGHOME', 'SSH_AUTH_SOCK', 'DISPLAY', 'XDG_RUNTIME_DIR']

export function settingsFor(repository: Repository): Setting[] {
  const { runs = {}, durable, index, config } = repository
  return [
    ...(repository.reaches ? [...ALWAYS.filter(([key]) => !ABOUT_REACHING.has(key)), ...REACHES] : ALWAYS),
    ...(runs.hooks ? [] : NO_HOOKS),
    ...(runs.signing ? [] : NO_SIGNING),
    ...(durable ? ([['core.fsync', 'all']] as const) : []),
    // A split index would put a file of ours into the user's repository.
    ...(config === 'foreign' && index !== undefined ? ([['core.splitIndex', 'false']] as const) : []),
  ]
}

export function environmentFor(repository: Repository, verb: string, settings: readonly Setting[]): Record<string, string> {
  const { workTree, index, objects, alternates = [] } = repository
  return {
    ...VARIABLES,
    ...(repository.reaches ? reachingVariables() : {}),
    // `check-ignore` refuses every kind of pathspec but its own.
    ...(verb === 'check-ignore' ? {} : { GIT_LITERAL_PATHSPECS: '1' }),
    ...placesFor(repository),
    ...(workTree === undefined ? { GIT_IMPLICIT_WORK_TREE: '0' } : {}),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects }),
    ...(alternates.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates.map(quotedFolder).join(':') }),
    ...asVariables(settings),
  }
}

/** Nobody is asked for a password: a login that is not there is a failure. */
function reachingVariables(): Record<string, string> {
  return { GIT_ALLOW_PROTOCOL: PROTOCOLS.join(':'), GIT_SSH_COMMAND: process.env['GIT_SSH_COMMAND'] ?? 'ssh -o BatchMode=yes' }
}

/** Where git looks for programs, for the home folder and for configuration that is not the repository's. */
function placesFor({ config, userConfig, runs, reaches }: Repository): Record<string, string> {
  if (reaches) return inherited(['TMPDIR', 'HOME', 'XDG_CONFIG_HOME', ...USER_VARIABLES, ...PROGRAM_VARIABLES])
  const home = config === 'ours' ? { HOME: NOWHERE, XDG_CONFIG_HOME: NOWHERE } : inherited(['HOME', 'XDG_CONFIG_HOME'])
  const own = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: NOWHERE, GIT_ATTR_NOSYSTEM: '1' }
  const programs = runs === undefined ? { PATH: NOWHERE, GIT_EXEC_PATH: NOWHERE } : inherited(PROGRAM_VARIABLES)
  return { ...inherited(['TMPDIR']), ...home, ...(userConfig === 'read' ? inherited(USER_VARIABLES) : own), ...programs }
}

function inherited(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}

function asVariables(settings: readonly Setting[]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], at) => [[`GIT_CONFIG_KEY_${at}`, key], [`GIT_CONFIG_VALUE_${at}`, value]] as const)
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) }
}

/** A colon separates folders, so a folder that has one, or begins with a quote, is written in quotes as git reads them. */
function quotedFolder(folder: string): string {
  return /[:"\n]/.test(folder) ? `"${folder.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"` : folder
}
