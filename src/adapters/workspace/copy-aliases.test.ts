// Tests of links in dependency folders that name the user's folder by another path than its own.
import { existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { put } from '../../git/fixture.js'
import { copyFolders } from './copy-folders.js'

type Case = { root: string; user: string; checkout: string; links: string }

/** `alias` is a link to the folder that the user's lies in. */
function places(): Case {
  const root = realpathSync(temporaryFolder())
  const [user, checkout] = [join(root, 'home/user'), join(root, 'checkout')]
  put(user, { 'lib/index.js': 'user\n', 'node_modules/a/x': 'x\n' })
  put(checkout, { 'lib/index.js': 'checkout\n' })
  put(join(root, 'elsewhere'), { 'store/index.js': 'store\n' })
  symlinkSync(join(root, 'home'), join(root, 'alias'))
  return { root, user, checkout, links: join(user, 'node_modules') }
}

describe('a link in a copied dependency folder', () => {
  it.each<[string, (at: Case) => string]>([
    ['by an alias of a folder above', ({ root }) => join(root, 'alias/user/lib')],
    ['by a way that goes through it and back', ({ user }) => join(user, '../../alias/user/../user/lib')],
    ['by a relative path through an alias', () => '../../../alias/user/lib'],
    ['by its own path', ({ user }) => join(user, 'lib')],
  ])('leads into the checkout when it led into the user’s folder %s.', async (_, target) => {
    const at = places()
    symlinkSync(target(at), join(at.links, 'lib'))
    expect(readFileSync(join(at.links, 'lib/index.js'), 'utf8')).toBe('user\n')
    await copyFolders(at.user, at.checkout, ['node_modules'])
    expect(realpathSync(join(at.checkout, 'node_modules/lib'))).toBe(join(at.checkout, 'lib'))
    writeFileSync(join(at.checkout, 'node_modules/lib/index.js'), 'written\n')
    expect(readFileSync(join(at.user, 'lib/index.js'), 'utf8')).toBe('user\n')
  })

  it('leads into the checkout also where nothing stands yet, so that nothing is made in the user’s folder through it.', async () => {
    const at = places()
    symlinkSync(join(at.root, 'alias/user/made/later'), join(at.links, 'later'))
    await copyFolders(at.user, at.checkout, ['node_modules'])
    mkdirSync(join(at.checkout, 'made'), { recursive: true })
    writeFileSync(join(at.checkout, 'node_modules/later'), 'x')
    expect([existsSync(join(at.checkout, 'made/later')), existsSync(join(at.user, 'made'))]).toEqual([true, false])
  })

  it('keeps leading where it led when that is outside.', async () => {
    const at = places()
    symlinkSync(join(at.root, 'elsewhere/store'), join(at.links, 'store'))
    symlinkSync(join(at.root, 'alias/other'), join(at.links, 'other'))
    await copyFolders(at.user, at.checkout, ['node_modules'])
    const led = ['store', 'other'].map((name) => readlinkSync(join(at.checkout, 'node_modules', name)))
    expect(led).toEqual([join(at.root, 'elsewhere/store'), join(at.root, 'alias/other')])
  })
})
