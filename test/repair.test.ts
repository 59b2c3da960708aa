// A session whose journal is damaged: repaired as far as it is sound, or set aside whole so that a fresh one can start.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashesOf, letGo, makePlace, until, type Place } from './support/cli.js'

async function finished(place: Place): Promise<string> {
  await place.run(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', 'true'])
  return place.session()
}

function damage(folder: string, change: (text: string) => string): void {
  const path = join(folder, 'journal.jsonl')
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

const NOT_ONE_SOUND = (text: string): string => text.replaceAll('"events"', '"evnets"')

describe('repair', () => {
  it('goes on from the last sound record and says what was lost.', async () => {
    const place = makePlace()
    const folder = await finished(place)
    damage(folder, (text) => text.replace(/("seq":4.*)"events"/, '$1"evnets"'))
    expect(await place.run(['status'])).toMatchObject({ code: 10 })
    const repaired = await place.run(['repair'])
    expect(repaired).toMatchObject({ code: 0 })
    expect(repaired.stdout).toMatch(/^record 4 was lost .*\n {2}go on: {2}greenlatch resume \S+\n$/)
    expect(await place.run(['status'])).toMatchObject({ code: 0 })
  })

  it('of a journal without a sound record names the way out; taking it moves the session whole, and a fresh one starts.', async () => {
    const place = makePlace()
    const folder = await finished(place)
    const id = basename(folder)
    damage(folder, NOT_ONE_SOUND)
    const refused = await place.run(['repair'])
    expect(refused).toMatchObject({ code: 10, stdout: '' })
    expect(refused.stderr).toMatch(/is sound; it is kept as it is \(--set-aside .*\)\n {2}next: greenlatch repair \S+ --set-aside\n$/)
    const before = hashesOf(folder)
    const aside = join(dirname(dirname(folder)), 'set-aside', id)
    const set = await place.run(['repair', '--set-aside'])
    expect(set).toMatchObject({ code: 0, stdout: `session ${id} is set aside, whole, in ${aside}\n  begin anew:  greenlatch run --help\n` })
    const { 'owner.json': _, ...kept } = hashesOf(aside)
    expect(kept).toEqual(before)
    expect(existsSync(folder)).toBe(false)
    expect((await place.run(['status'])).stderr).toContain('there is no session here yet')
    const fresh = await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])
    expect(fresh).toMatchObject({ code: 0 })
    expect(fresh.stderr).not.toContain('warning')
  })

  it('sets aside what is no journal at all, twice under one name if need be.', async () => {
    const place = makePlace()
    const folder = await finished(place)
    for (const expected of [basename(folder), `${basename(folder)}-2`]) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(join(folder, 'journal.jsonl'), { recursive: true })
      const done = JSON.parse((await place.run(['repair', basename(folder), '--set-aside', '--json'])).stdout) as { set_aside: string }
      expect(basename(done.set_aside)).toBe(expected)
      expect(existsSync(join(done.set_aside, 'journal.jsonl'))).toBe(true)
    }
  })

  it('sets aside no session that can be read, and none that is running.', async () => {
    const place = makePlace()
    const folder = await finished(place)
    const refused = await place.run(['repair', '--set-aside'])
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toMatch(/can be read and is not set aside \(greenlatch stop \S+ --cancel .*\)\n {2}next: greenlatch status \S+\n/)
    const agent = place.program('agent', 'while [ ! -e "$ROOT/go" ]; do sleep 0.02; done')
    const running = place.start(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', agent])
    await until('the agent', () => place.starts('agent').length > 0)
    expect(await place.run(['repair', '--set-aside'])).toMatchObject({ code: 9 })
    letGo(place, 'go')
    await running.ended
    expect(existsSync(folder)).toBe(true)
    expect(place.sessions()).toHaveLength(2)
  })
})
