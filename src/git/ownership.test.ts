// Proves, as a user without rights over everything, that a repository may be read-only, and that one of another user is named.
import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundle, run, temporaryFolder } from '../files/fixture.js'
import { plainGit, put, repositoryWith, stateOf } from './fixture.js'
import type { WorkTreeFacts } from './inspect.js'

const NOBODY = 65_534
const isRoot = process.geteuid?.() === 0

type Said = { facts: WorkTreeFacts; refusal: { code: number; message: string; next: string } | null; notices: string[] }

/** What a process of an ordinary user finds out; root may write everywhere and would prove nothing. */
function lookAsOrdinaryUser(root: string, home = '/nonexistent'): Said {
  const script = bundle(`
    import { inspect } from './git/inspect.js'
    import { noticesOf, refusalOf } from './git/policy.js'
    const facts = await inspect(${JSON.stringify(root)})
    const refusal = refusalOf(facts)
    console.log(JSON.stringify({
      facts,
      notices: noticesOf(facts),
      refusal: refusal && { code: refusal.code, message: refusal.message, next: refusal.next },
    }))
  `)
  chmodSync(dirname(script), 0o755)
  const user = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  return JSON.parse(run(['env', '-u', 'SUDO_UID', `HOME=${home}`, 'GIT_CONFIG_NOSYSTEM=1', ...user, process.execPath, script])) as Said
}

function openFolder(): string {
  const root = temporaryFolder()
  chmodSync(root, 0o755)
  return root
}

describe('an ordinary user', () => {
  it('may look at a repository that nobody can write to, and is told that nothing can be accepted into it.', () => {
    const root = join(openFolder(), 'r')
    const commit = repositoryWith(root, { a: 'a\n' })
    put(root, { a: 'b\n' })
    if (isRoot) run(['chown', '-R', String(NOBODY), root])
    run(['chmod', '-R', 'a-w', root])
    const before = stateOf(root)
    const { facts, notices, refusal } = lookAsOrdinaryUser(root)
    expect(facts).toMatchObject({ head: { commit, branch: 'main' }, isWritable: false, foreign: null, dirty: { unstaged: { count: 1 } } })
    expect(notices).toEqual(['the repository is read-only: a session can work, but its result cannot be accepted'])
    expect(refusal?.message).toMatch('not everything is committed')
    expect(stateOf(root)).toEqual(before)
    run(['chmod', '-R', 'u+w', root])
  })

  it('is refused a repository of another user, until their own configuration trusts it.', () => {
    const folder = openFolder()
    const root = isRoot ? join(folder, 'r') : null
    // Without being root there is no repository of another user to be had, but one's own must not be taken for one.
    if (root === null) return expect(lookAsOrdinaryUser(process.cwd()).facts.foreign).toBeNull()
    repositoryWith(root, { a: '' })
    expect(lookAsOrdinaryUser(root).refusal).toEqual({
      code: 10,
      message: `${root} belongs to another user`,
      next: `git config --global --add safe.directory ${root}`,
    })
    put(folder, { 'home/.gitconfig': `[safe]\n\tdirectory = ${root}\n` })
    expect(lookAsOrdinaryUser(root, join(folder, 'home')).refusal).toBeNull()
    plainGit(root, 'config', 'safe.directory', '*')
    expect(lookAsOrdinaryUser(root).refusal?.code).toBe(10)
  })
})
