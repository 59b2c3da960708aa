// Tests of finding the repository's folder and the state folder.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePlace, type Place, PROJECT } from './fixture.js'
import { repositoryId, repositoryRoot, stateHome } from './locate.js'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

describe('The root of a repository', () => {
  test('is the nearest folder with .git, be it a folder or a file.', () => {
    const inner = join(place.root, 'inner/deep')
    mkdirSync(inner, { recursive: true })
    expect(repositoryRoot(inner)).toBe(place.root)
    writeFileSync(join(place.root, 'inner/.git'), 'gitdir: elsewhere')
    expect(repositoryRoot(inner)).toBe(join(place.root, 'inner'))
  })

  test('is the nearest folder with greenlatch.yaml, even below .git.', () => {
    place.write('repository/packages/api/greenlatch.yaml', '')
    mkdirSync(join(place.root, 'packages/api/src'))
    expect(repositoryRoot(join(place.root, 'packages/api/src'))).toBe(join(place.root, 'packages/api'))
  })

  test('is the working folder when neither is found.', () => {
    expect(repositoryRoot('/')).toBe('/')
    expect(repositoryRoot(place.home)).toBe(place.home)
  })
})

describe('The id of a repository', () => {
  test('is its readable name and ten digits that tell equal names apart.', () => {
    place.write('other/repository/file', '')
    const [one, two] = [repositoryId(place.root), repositoryId(join(place.home, '../other/repository'))]
    expect(one).toMatch(/^repository-[0-9a-f]{10}$/)
    expect(two).toMatch(/^repository-[0-9a-f]{10}$/)
    expect(one).not.toBe(two)
  })

  test('is the same by way of a link, and with a slash at the end.', () => {
    const link = join(place.home, 'link')
    symlinkSync(place.root, link)
    expect(repositoryId(link)).toBe(repositoryId(place.root))
    expect(repositoryId(`${place.root}/`)).toBe(repositoryId(place.root))
  })

  test.each([
    ['/', /^root-[0-9a-f]{10}$/],
    ['/nowhere/Ünï côde/..hidden', /^hidden-[0-9a-f]{10}$/],
    ['/nowhere/my project (2)', /^my-project-2--[0-9a-f]{10}$/],
    [`/nowhere/${'x'.repeat(200)}`, /^x{40}-[0-9a-f]{10}$/],
  ])('is a safe folder name for %j.', (root, expected) => {
    expect(repositoryId(root)).toMatch(expected)
  })
})

describe('The state folder', () => {
  test.each([
    [{ env: {} }, '/home/u/.local/state/greenlatch'],
    [{ env: { XDG_STATE_HOME: '/x' } }, '/x/greenlatch'],
    [{ env: { XDG_STATE_HOME: 'relative' } }, '/home/u/.local/state/greenlatch'],
    [{ env: { XDG_STATE_HOME: '/x', GREENLATCH_STATE_HOME: '/g' } }, '/g'],
    [{ env: { GREENLATCH_STATE_HOME: '' } }, '/home/u/.local/state/greenlatch'],
    [{ env: { GREENLATCH_STATE_HOME: '~/g' } }, '/home/u/g'],
    [{ env: { GREENLATCH_STATE_HOME: '/g' }, settings: { stateDir: '/flag' } }, '/flag'],
    [{ env: { XDG_STATE_HOME: '/x' }, settings: {} }, '/x/greenlatch'],
  ])('of %j is %s.', (from, expected) => {
    expect(stateHome({ home: '/home/u', ...from })).toBe(expected)
  })

  test('follows the tiers when it is asked with loaded settings.', async () => {
    place.write(PROJECT, 'stateDir: /project')
    const env = { GREENLATCH_STATE_HOME: '/environment' }
    const homeOf = async (more: object): Promise<string> =>
      stateHome({ env, home: place.home, settings: (await place.load({ env, ...more })).values })
    expect(await homeOf({})).toBe('/environment')
    expect(await homeOf({ flags: { stateDir: '/flag' } })).toBe('/flag')
    expect(await homeOf({ env: {} })).toBe('/project')
  })
})
