// `report` where what was typed can mean something else than it does.
import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refusal, workedOnce } from './support/repositories.js'

const worked = workedOnce([{ write: { a: 'two\n' } }])

describe('report with a form', () => {
  it('takes no session for the name of a file', async () => {
    const { shop: place, id } = await worked()
    const before = readdirSync(place.repo)
    for (const form of ['html', 'md', 'junit', 'sarif']) {
      const said = `--${form} is followed by a file, and ${id} is a session`
      expect(refusal(await place.run(['report', `--${form}`, id]))).toEqual([2, said, `greenlatch report ${id} --${form} <file>`])
    }
    expect(refusal(await place.run(['report', '--open', '--html', id]))).toMatchObject([2, expect.any(String), `greenlatch report ${id} --html <file>`])
    expect(readdirSync(place.repo)).toEqual(before)
    expect(await place.run(['report', id, '--html', 'out.html'])).toMatchObject({ code: 0 })
    expect(readdirSync(place.repo).filter((name) => !before.includes(name))).toEqual(['out.html'])
  })

  it('follows a link to a file, and writes into what is no file instead of replacing it', async () => {
    const { shop: place } = await worked()
    const at = (name: string): string => join(place.root, name)
    place.write('kept.md', 'before')
    symlinkSync(join(place.repo, 'kept.md'), at('link'))
    symlinkSync('/dev/full', at('full'))
    expect((await place.run(['report', '--md', at('link')])).code).toBe(0)
    expect(refusal(await place.run(['report', '--md', at('full')]))).toMatchObject([10, expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/), expect.any(String)])
    expect(['link', 'full'].map((name) => lstatSync(at(name)).isSymbolicLink())).toEqual([true, true])
    expect(readFileSync(join(place.repo, 'kept.md'), 'utf8')).toContain('## Greenlatch: ')
  })

  it('says of a file that is written into the repository that it is a change there, where it is one', async () => {
    const { shop: place } = await worked()
    const said = async (file: string): Promise<string> => (await place.run(['report', '--md', file])).stderr
    expect(await said('r.md')).toMatch(/^written: \S+\/r\.md\nit is a change of your repository now, which the next run is refused for: /)
    expect((await place.run(['run', 'more of it', '--agent', 'paste', '--gate', 'true'])).stderr).toContain('1 untracked ("r.md")')
    place.write('.git/info/exclude', 'out/\n')
    place.write('out/.keep', '')
    for (const file of ['out/r.md', join(place.root, 'r.md')]) expect(await said(file)).toBe(`written: ${file.startsWith('/') ? file : join(place.repo, file)}\n`)
    expect(await place.run(['report', '--md', '/dev/null'])).toMatchObject({ code: 0, stderr: 'written: /dev/null\n' })
  })

  it('fills no terminal with a page, and gives it to a pipe', async () => {
    const { shop: place, id } = await worked()
    const { code, stdout } = await place.startInTerminal(['report', '--html']).ended
    expect(code).toBe(2)
    expect(stdout).toContain('a page is nothing for a terminal; --html <file> keeps it, --open shows it')
    expect(stdout).toContain(`next: greenlatch report ${id} --open`)
    expect(stdout).not.toContain('<html')
    for (const named of [[], ['-']]) expect(await place.run(['report', '--html', ...named])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^<!doctype html>/) as string })
  })
})
