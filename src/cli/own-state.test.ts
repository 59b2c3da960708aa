// Tests of whether the state folder is ours alone, with real owners and modes.
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { requireOwnState } from './own-state.js'

const OTHER = 65_534

function places(): { home: string; room: string; check: () => void } {
  const home = join(temporaryFolder(), 'state')
  const room = join(home, 'room')
  mkdirSync(room, { recursive: true, mode: 0o700 })
  return { home, room, check: () => requireOwnState(join(room, 'sessions')) }
}

describe('a state folder', () => {
  it('is used when it is ours, also behind a link of the user’s, and when it is not there yet.', () => {
    const { home, room, check } = places()
    check()
    requireOwnState(join(home, 'none/room/sessions'))
    const link = join(temporaryFolder(), 'link')
    symlinkSync(home, link)
    requireOwnState(join(link, 'room/sessions'))
    chmodSync(home, 0o775)
    chmodSync(room, 0o775)
    check()
  })

  it.each<[string, (at: ReturnType<typeof places>) => void, RegExp]>([
    ['every user may write to', ({ home }) => chmodSync(home, 0o777), /state can be written to by every user/],
    ['every user may write to, in a room of it', ({ room }) => chmodSync(room, 0o1777), /room can be written to by every user/],
    ['is no folder', ({ home }) => { rmSync(home, { recursive: true }); writeFileSync(home, '', { mode: 0o666 }) }, /state is not a folder/],
    ['belongs to another user', ({ home }) => chownSync(home, OTHER, OTHER), /state belongs to another user/],
    ['belongs to another user in part', ({ room }) => chownSync(room, OTHER, OTHER), /room belongs to another user/],
  ])('is refused when it %s.', (_, spoil, message) => {
    const at = places()
    spoil(at)
    expect(at.check).toThrow(message)
  })

  it.each(['sessions', 'checkouts', 'store.git', 'deps'])('is refused when a room of it is a link: %s.', (name) => {
    const { room, check } = places()
    symlinkSync(temporaryFolder(), join(room, name))
    expect(check).toThrow(`${name} is a link, and we made none`)
  })

  it('may lie in a folder that is open to all, where nobody can change what is another’s.', () => {
    const { home, check } = places()
    chmodSync(home, 0o1777)
    check()
  })

  it('may belong to the user who called sudo.', () => {
    const { home, room, check } = places()
    for (const path of [home, room]) chownSync(path, OTHER, OTHER)
    process.env['SUDO_UID'] = String(OTHER)
    try {
      check()
    } finally {
      delete process.env['SUDO_UID']
    }
    expect(check).toThrow(/belongs to another user/)
  })
})
