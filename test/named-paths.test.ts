// Paths that a person names and that cannot be: through a file, round in a circle, too long. Each is refused in one line with 2.
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashesOf, makePlace, type Place } from './support/cli.js'
import { refusal } from './support/repositories.js'

const LONG = 'x'.repeat(300)
const OODA = ['run', 'ooda', '--fresh', '--agent', 'paste']

const WAYS: readonly ((path: string) => string[])[] = [
  (path) => ['path', '-C', path],
  (path) => ['config', '--config', path],
  (path) => ['demo', '--into', path],
  (path) => ['init', path],
  (path) => [...OODA, '--task', path],
  (path) => [...OODA, '--spec', path],
  (path) => [...OODA, '--context', `@${path}`],
  (path) => [...OODA, '--act', `@${path}`],
  (path) => ['reply', '--file', path],
  ...['html', 'md', 'sarif'].map((form) => (path: string) => ['report', `--${form}`, path]),
]

async function begun(): Promise<Place> {
  const place = makePlace()
  place.write('file', 'mine\n')
  symlinkSync('loop', join(place.repo, 'loop'))
  await place.run(OODA)
  return place
}

describe('a path that cannot be', () => {
  it.each([
    ['through a file', 'file/x', /no folder|cannot be read|does not exist|there is no file/],
    ['round in a circle', 'loop', /links lead round in a circle|cannot be read/],
    ['below a circle', 'loop/x', /links lead round in a circle|cannot be read/],
    ['too long', LONG, /the path is too long|cannot be read/],
  ])('%s is refused wherever it is named, with a command that can be typed', async (_, path, words) => {
    const place = await begun()
    const before = hashesOf(place.repo)
    for (const way of WAYS) {
      const args = way(path)
      const [code, message, next] = refusal(await place.run(args))
      expect([args, code, message]).toEqual([args, 2, expect.stringMatching(words)])
      if (next.startsWith('ls ')) expect(spawnSync('sh', ['-c', next], { cwd: place.repo }).status, next).toBe(0)
    }
    expect(hashesOf(place.repo)).toEqual(before)
  })

  it('is no place for state, and what is offered can be typed', async () => {
    const place = await begun()
    for (const path of ['file', 'file/x', 'loop', LONG, '/proc/foo']) {
      const { code, stderr } = await place.run([...OODA, '--state-dir', path])
      const [, next = ''] = /\n {2}next: (.+)\n$/.exec(stderr) ?? []
      expect([path, code, stderr]).toEqual([path, 10, expect.not.stringContaining('a fault in greenlatch')])
      expect([path, next]).toEqual([path, path === 'file' ? `ls -ld ${join(place.repo, 'file')}` : `greenlatch doctor --state-dir ${path}`])
    }
    expect((await place.run(['sessions', '--state-dir', LONG])).code).toBe(0)
  })

  it('is not carried into the command that is offered for it', async () => {
    const [code, message, next] = refusal(await makePlace().run(['run', 'ooda', '--config', 'no/file.yaml']))
    expect([code, message]).toEqual([2, 'no/file.yaml does not exist'])
    expect(next).toMatch(/^ls -la \S+\/repo$/)
  })
})
