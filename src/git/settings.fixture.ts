// Programs that are named by the configuration: how each setting is planted, and a plain git command that shows it at work.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { put } from './fixture.js'
import type { Lair } from './lair.fixture.js'
import type { Control, Vector } from './vectors.fixture.js'

const COMMIT = ['commit', '--allow-empty', '-q', '-m', 'x']

function filter(name: string, driver: string, key: string, control: Control): Vector {
  return { name, group: 'one', settings: (canary) => ({ [`filter.${driver}.${key}`]: `${canary} filter` }), control }
}

/** The driver stands in a file that the repository's configuration includes on a condition. */
function included(name: string, driver: string, condition: (lair: Lair) => string, wherefrom: string): Vector {
  const settings = (canary: string, lair: Lair): Record<string, string> => {
    const path = join(lair.root, wherefrom)
    writeFileSync(path, `[filter "${driver}"]\n\tclean = ${canary} filter\n\trequired\n`)
    return { [condition(lair)]: path }
  }
  return { name, group: 'one', settings, control: { args: ['add', '-A'] } }
}

type Settings = (canary: string, lair: Lair) => Record<string, string>

function setting(name: string, group: Vector['group'], control: Control, settings: Settings): Vector {
  return { name, group, control, settings }
}

function one(name: string, control: Control, settings: Settings): Vector {
  return setting(name, 'one', control, settings)
}

function two(name: string, control: Control, settings: Settings): Vector {
  return setting(name, 'two', control, settings)
}

export const CREDENTIAL = 'protocol=https\nhost=example.invalid\n\n'

export const SETTINGS: readonly Vector[] = [
  two('core.fsmonitor', { args: ['status'] }, (canary) => ({ 'core.fsmonitor': canary })),
  filter('filter clean', 'clean', 'clean', { args: ['add', '-A'] }),
  filter('filter smudge', 'smudge', 'smudge', { args: ['checkout-index', '-f', '-a'] }),
  filter('filter process', 'process', 'process', { args: ['add', '-A'] }),
  filter('filter clean without a name', '', 'clean', { args: ['add', '-A'] }),
  setting(
    'filter smudge without a name',
    'nested',
    { args: ['checkout-index', '-f', '-a'] },
    (canary) => ({ 'filter..smudge': `${canary} filter` }),
  ),
  two('filter process without a name', { args: ['add', '-A'] }, (canary) => ({ 'filter..process': `${canary} filter` })),
  filter('filter with an odd name', 'o.dd=x"y]', 'clean', { args: ['add', '-A'] }),
  included('include.path', 'included', () => 'include.path', 'included'),
  included('includeIf gitdir', 'gitdir', (lair) => `includeIf.gitdir:${lair.work}/.path`, 'gitdir'),
  included('includeIf onbranch', 'branch', () => 'includeIf.onbranch:main.path', 'branch'),
  included('includeIf hasconfig', 'hasconfig', () => 'includeIf.hasconfig:remote.*.url:named.path', 'hasconfig'),
  {
    name: 'config.worktree',
    group: 'one',
    settings: () => ({ 'extensions.worktreeConfig': 'true' }),
    plant: (lair, canary) => writeFileSync(join(lair.work, '.git/config.worktree'), `[filter "worktree"]\n\tclean = ${canary} filter\n`),
    control: { args: ['add', '-A'] },
  },
  {
    name: 'info/attributes',
    group: 'one',
    settings: (canary) => ({ 'filter.info.clean': `${canary} filter` }),
    plant: (lair) => put(join(lair.work, '.git'), { 'info/attributes': 'info filter=info\n' }),
    control: { args: ['add', '-A'] },
  },
  {
    name: 'core.attributesFile',
    group: 'one',
    settings: (canary, lair) => ({ 'filter.attributes.clean': `${canary} filter`, 'core.attributesFile': join(lair.root, 'attributes') }),
    plant: (lair) => put(lair.root, { attributes: 'file filter=attributes\n' }),
    control: { args: ['add', '-A'] },
  },
  one('diff driver command', { args: ['diff', 'HEAD~1'] }, (canary) => ({ 'diff.command.command': canary })),
  one('diff driver textconv', { args: ['diff', 'HEAD~1'] }, (canary) => ({ 'diff.textconv.textconv': canary })),
  one('diff driver command without a name', { args: ['diff', 'HEAD~1'] }, (canary) => ({ 'diff..command': canary })),
  setting('diff driver textconv without a name', 'nested', { args: ['diff', 'HEAD~2'] }, (canary) => ({ 'diff..textconv': canary })),
  two('diff.external', { args: ['diff', 'HEAD~1'] }, (canary) => ({ 'diff.external': canary })),
  one('merge driver', { args: ['merge-tree', '--write-tree', 'main', 'other'] }, (canary) => ({ 'merge.evil.driver': `${canary} %A` })),
  one(
    'merge driver without a name',
    { args: ['merge-tree', '--write-tree', 'main', 'other'] },
    (canary) => ({ 'merge..driver': `${canary} %A` }),
  ),
  one('core.pager', { args: ['log'], terminal: true }, (canary) => ({ 'core.pager': canary })),
  two(
    'pager of one command',
    { args: ['log'], terminal: true },
    (canary) => ({ 'pager.log': canary, 'pager.status': canary, 'pager.config': canary, 'pager.diff': canary }),
  ),
  one('core.editor', { args: ['commit', '--allow-empty'] }, (canary) => ({ 'core.editor': canary })),
  one(
    'sequence.editor',
    { args: ['rebase', '-i', 'HEAD~1'], before: [['stash', '-q', '-u']] },
    (canary) => ({ 'sequence.editor': canary }),
  ),
  one('core.sshCommand', { args: ['ls-remote', 'ssh://example.invalid/x'] }, (canary) => ({ 'core.sshCommand': canary })),
  one('core.gitProxy', { args: ['ls-remote', 'git://example.invalid/x'] }, (canary) => ({ 'core.gitProxy': canary })),
  one('credential.helper', { args: ['credential', 'fill'], input: CREDENTIAL }, (canary) => ({ 'credential.helper': canary })),
  two(
    'credential helper of one address',
    { args: ['credential', 'fill'], input: CREDENTIAL },
    (canary) => ({ 'credential.https://example.invalid.helper': canary }),
  ),
  one('core.askPass', { args: ['credential', 'fill'], input: CREDENTIAL }, (canary) => ({ 'core.askPass': canary })),
  setting(
    'gpg.program',
    'lazy',
    { args: [...COMMIT, '-S'] },
    (canary) => ({ 'gpg.program': canary, 'commit.gpgSign': 'true', 'log.showSignature': 'true' }),
  ),
  setting(
    'gpg.ssh.program',
    'nested',
    { args: ['-c', 'user.signingKey=key::ssh-ed25519 AAAA', ...COMMIT, '-S'] },
    (canary) => ({ 'gpg.format': 'ssh', 'gpg.ssh.program': canary, 'commit.gpgSign': 'true' }),
  ),
  setting('gpg.ssh.defaultKeyCommand', 'nested', { args: [...COMMIT, '-S'] }, (canary) => ({ 'gpg.ssh.defaultKeyCommand': canary })),
  one(
    'alias',
    { args: ['canary'] },
    (canary) => ({ 'alias.canary': `!${canary}`, 'alias.status': `!${canary}`, 'alias.check-attr': `!${canary}` }),
  ),
  two(
    'interactive.diffFilter',
    { args: ['-c', 'core.fsmonitor=', 'add', '-p'], terminal: true },
    (canary) => ({ 'interactive.diffFilter': canary }),
  ),
  one(
    'trailer command',
    { args: ['interpret-trailers', '--trailer', 'evil: 1'], input: 'x\n' },
    (canary) => ({ 'trailer.evil.key': 'Evil', 'trailer.evil.command': canary }),
  ),
  two(
    'trailer cmd',
    { args: ['interpret-trailers', '--trailer', 'evil: 1'], input: 'x\n' },
    (canary) => ({ 'trailer.evil.key': 'Evil', 'trailer.evil.cmd': canary }),
  ),
  one('tar command', { args: ['archive', '--format=evil', 'HEAD'] }, (canary) => ({ 'tar.evil.command': canary })),
  one('difftool', { args: ['difftool', '-y', '-t', 'evil', 'HEAD~1'] }, (canary) => ({ 'difftool.evil.cmd': canary })),
  two(
    'mergetool',
    { args: ['mergetool', '-y', '-t', 'evil'], before: [['stash', '-q', '-u'], ['merge', '-q', 'other']] },
    (canary) => ({ 'mergetool.evil.cmd': canary }),
  ),
  one(
    'remote uploadpack',
    { args: ['ls-remote', 'local'] },
    (canary, lair) => ({ 'remote.named.url': 'named', 'remote.local.url': lair.other, 'remote.local.uploadpack': canary }),
  ),
  one('remote receivepack', { args: ['push', 'local', 'HEAD:x'] }, (canary) => ({ 'remote.local.receivepack': canary })),
  one(
    'ext transport',
    { args: ['ls-remote', 'ext'] },
    (canary) => ({ 'remote.ext.url': `ext::${canary}`, 'protocol.ext.allow': 'always' }),
  ),
  one('web.browser', { args: ['web--browse', '-b', 'evil', 'x'] }, (canary) => ({ 'browser.evil.cmd': canary, 'web.browser': 'evil' })),
  {
    name: 'core.alternateRefsCommand',
    group: 'one',
    settings: (canary) => ({ 'core.alternateRefsCommand': canary }),
    plant: (lair) => put(join(lair.work, '.git'), { 'objects/info/alternates': `${join(lair.other, '.git/objects')}\n` }),
    control: { args: ['fetch', '-q', '../other', '--upload-pack=git-upload-pack'] },
  },
  {
    name: 'uploadpack.packObjectsHook',
    group: 'one',
    userOnly: true,
    settings: (canary) => ({ 'uploadpack.packObjectsHook': canary }),
    control: { args: ['clone', '-q', '--no-local', '.', '../cloned'] },
  },
]
