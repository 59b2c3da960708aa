// The ways by which git runs foreign programs: how each is planted, and a plain git command that shows it at work.
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainGit, put, tryGit } from './fixture.js'
import type { Lair } from './lair.fixture.js'
import { CREDENTIAL, SETTINGS } from './settings.fixture.js'

/** A plain git command that sets the mark; `terminal` runs it in a terminal of its own. */
export type Control = {
  args: readonly string[]; input?: string; terminal?: true; env?: Record<string,
  string>; before?: readonly (readonly string[])[],
}

export type Vector = {
  name: string
  /** Vectors of one group are planted together; those that would hide each other are in different groups. */
  group: 'hooks' | 'hooksPath' | 'one' | 'two' | 'nested' | 'lazy' | 'environment'
  /** Configuration that names the program, put into the repository's or the user's file. */
  settings?: (canary: string, lair: Lair) => Record<string, string>
  /** What has to lie in files besides. */
  plant?: (lair: Lair, canary: string) => void
  /** Variables that name the program, for the process that starts git. */
  variables?: (canary: string, lair: Lair) => Record<string, string>
  /** Only ever read from the user's own configuration. */
  userOnly?: true
  control: Control
}

const COMMIT = ['commit', '--allow-empty', '-q', '-m', 'x']
const PATCH = '--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n'
const MAIL = `From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
From: A <a@example.com>
Date: Mon, 1 Jan 2024 00:00:00 +0000
Subject: [PATCH] x

---
${PATCH}--
2.0
`

const HOOKS: Readonly<Record<string, Control>> = {
  'applypatch-msg': { args: ['am', '-q'], input: MAIL },
  'pre-applypatch': { args: ['am', '-q'], input: MAIL },
  'post-applypatch': { args: ['am', '-q'], input: MAIL },
  'pre-commit': { args: COMMIT },
  'prepare-commit-msg': { args: COMMIT },
  'commit-msg': { args: COMMIT },
  'post-commit': { args: COMMIT },
  'post-checkout': { args: ['checkout', '-q', 'other'] },
  'post-merge': { args: ['merge', '-q', '--no-edit', '-s', 'ours', 'other'] },
  'pre-merge-commit': { args: ['merge', '-q', '--no-edit', '-s', 'ours', 'other'] },
  'post-rewrite': { args: ['commit', '-q', '--amend', '-m', 'y'] },
  'pre-rebase': { args: ['rebase', '-q', 'other'], before: [['stash', '-q']] },
  'post-index-change': { args: ['add', '-A'] },
  'reference-transaction': { args: ['update-ref', 'refs/x', 'HEAD'] },
  'pre-auto-gc': {
    args: ['-c', 'gc.autoPackLimit=1', '-c', 'gc.autoDetach=false', 'gc', '--auto'],
    before: [['repack', '-q'], COMMIT, ['repack', '-q'], COMMIT, ['repack', '-q']],
  },
  'pre-push': { args: ['push', '-q', '../other', 'HEAD:refs/heads/pushed'] },
}

function hooksIn(folder: (lair: Lair) => string, group: Vector['group'], label: string): Vector[] {
  return Object.entries(HOOKS).map(([hook, control]) => ({
    name: `${label} ${hook}`,
    group,
    control,
    settings: (_, lair): Record<string, string> => (label === 'core.hooksPath' ? { 'core.hooksPath': folder(lair) } : {}),
    plant: (lair, canary) => {
      mkdirSync(folder(lair), { recursive: true })
      writeFileSync(join(folder(lair), hook), `#!/bin/sh\nexec ${canary} </dev/null\n`, { mode: 0o755 })
    },
  }))
}

/** A repository inside the work tree, known to the outer one as a submodule, with programs in its own configuration. */
function nested(what: string, path: string, settings: (canary: string) => readonly [string, string]): Vector {
  const plant = (lair: Lair, canary: string): void => {
    put(lair.work, { [`${path}/.gitattributes`]: '* filter=nested\n' })
    plainGit(join(lair.work, path), 'config', ...settings(canary))
  }
  return { name: `nested repository: ${what}`, group: 'nested', control: { args: ['status'] }, plant }
}

const NESTED: readonly Vector[] = [
  nested('filter', 'sub', (canary) => ['filter.nested.clean', `${canary} filter`]),
  nested('fsmonitor', 'sub2', (canary) => ['core.fsmonitor', canary]),
  {
    name: 'submodule update command',
    group: 'nested',
    settings: (canary) => ({
      'submodule.sub.update': `!${canary}`,
      'submodule.sub.url': '../other',
      'submodule.sub.active': 'true',
      'submodule.sub.ignore': 'none',
    }),
    control: { args: ['submodule', 'update', 'sub'], before: [['-C', 'sub', 'commit', '-q', '--allow-empty', '-m', 'y']] },
  },
]

/** A missing object makes git fetch it, by whatever the remote says. */
const LAZY: Vector = {
  name: 'lazy fetch of a partial clone',
  group: 'lazy',
  settings: (canary) => ({
    'remote.far.url': `ext::${canary}`,
    'remote.far.promisor': 'true',
    'extensions.partialClone': 'far',
    'protocol.ext.allow': 'always',
    'core.repositoryFormatVersion': '1',
  }),
  plant: (lair) => {
    const id = plainGit(lair.work, 'rev-parse', 'HEAD:theirs-too')
    const packs = join(lair.work, '.git/objects/pack')
    const pack = readdirSync(packs).find((name) => name.endsWith('.pack')) ?? ''
    renameSync(join(packs, pack), join(lair.root, 'pack'))
    rmSync(join(packs, pack.replace('.pack', '.idx')), { force: true })
    tryGit(lair.work, ['unpack-objects', '-q'], {}, readFileSync(join(lair.root, 'pack')))
    rmSync(join(lair.work, '.git/objects', id.slice(0, 2), id.slice(2)))
  },
  control: { args: ['cat-file', '-p', 'HEAD:theirs-too'] },
}

function variable(name: string, control: Control, value: (canary: string, lair: Lair) => string = (canary) => canary): Vector {
  return { name: `variable ${name}`, group: 'environment', control, variables: (canary, lair) => ({ [name]: value(canary, lair) }) }
}

function evilGitIn(canary: string, lair: Lair): string {
  const folder = join(lair.root, 'bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nexec ${canary}\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return folder
}

const VARIABLES: readonly Vector[] = [
  variable('GIT_EXTERNAL_DIFF', { args: ['diff', 'HEAD~1'] }),
  variable('GIT_EDITOR', { args: ['commit', '--allow-empty'] }),
  variable('VISUAL', { args: ['commit', '--allow-empty'] }),
  variable('EDITOR', { args: ['commit', '--allow-empty'] }),
  variable('GIT_SEQUENCE_EDITOR', { args: ['rebase', '-i', 'HEAD~1'], before: [['stash', '-q', '-u']] }),
  variable('GIT_PAGER', { args: ['log'], terminal: true }),
  variable('PAGER', { args: ['log'], terminal: true }),
  variable('GIT_SSH_COMMAND', { args: ['ls-remote', 'ssh://example.invalid/x'] }),
  variable('GIT_SSH', { args: ['ls-remote', 'ssh://example.invalid/x'] }),
  variable('GIT_PROXY_COMMAND', { args: ['ls-remote', 'git://example.invalid/x'] }),
  variable('GIT_ASKPASS', { args: ['credential', 'fill'], input: CREDENTIAL }),
  variable('SSH_ASKPASS', { args: ['credential', 'fill'], input: CREDENTIAL }),
  variable('GIT_CONFIG_PARAMETERS', { args: ['status'] }, (canary) => `'core.fsmonitor'='${canary}'`),
  variable('GIT_CONFIG_GLOBAL', { args: ['status'] }, (canary, lair) => {
    put(lair.root, { 'global-config': `[core]\n\tfsmonitor = ${canary}\n` })
    return join(lair.root, 'global-config')
  }),
  variable('GIT_EXEC_PATH', { args: ['-c', 'gc.auto=1', 'commit', '--allow-empty', '-q', '-m', 'x'] }, evilGitIn),
  variable('GIT_DIR', { args: ['status'] }, (canary, lair) => {
    plainGit(lair.root, 'init', '-q', '--template=', 'evil')
    plainGit(join(lair.root, 'evil'), 'config', 'core.fsmonitor', canary)
    return join(lair.root, 'evil/.git')
  }),
]

export const VECTORS: readonly Vector[] = [
  ...hooksIn((lair) => join(lair.work, '.git/hooks'), 'hooks', 'hook'),
  ...hooksIn((lair) => join(lair.root, 'hooks'), 'hooksPath', 'core.hooksPath'),
  ...SETTINGS,
  ...NESTED,
  LAZY,
  ...VARIABLES,
]
