// `report` where what was typed can mean something else than it does.
import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI } from './support/cli.js'
import { refusal, workedOnce } from './support/repositories.js'

const worked = workedOnce([{ write: { a: 'two\n' } }])

const FILES = { html: 'report.html', md: 'report.md', junit: 'results.xml', sarif: 'findings.sarif' }
const FORMS = ['html', 'md', 'junit', 'sarif'] as const

/** A gate gives JUnit XML something to show. */
const checked = async (): Promise<Awaited<ReturnType<typeof worked>>> => {
  const { shop, id } = await worked()
  await shop.run(['run', 'converge', 'x', '--gate', 'true', '--agent', shop.scripted([{}]), '--max-iterations', '1'])
  return { shop, id }
}

describe('report with a form', () => {
  it('takes no session for the name of a file', async () => {
    const { shop: place, id } = await worked()
    const before = readdirSync(place.repo)
    for (const form of FORMS) {
      const said = `--${form} is followed by a file, and ${id} is a session`
      expect(refusal(await place.run(['report', `--${form}`, id]))).toEqual([2, said, `greenlatch report ${id} --${form} ${FILES[form]}`])
    }
    expect(refusal(await place.run(['report', '--open', '--html', id]))).toMatchObject([2, expect.any(String), `greenlatch report ${id} --html report.html`])
    expect(readdirSync(place.repo)).toEqual(before)
    expect(await place.run(['report', id, '--html', 'out.html'])).toMatchObject({ code: 0 })
    expect(readdirSync(place.repo).filter((name) => !before.includes(name))).toEqual(['out.html'])
  })

  it('writes over no file but a report of its form, and offers a name that is free', async () => {
    const { shop: place } = await checked()
    place.put({ 'report.html': '<!doctype html>\n<title>Mine</title>\n', 'results.xml': '', 'report.md/kept': 'x\n' })
    const before = ['a', 'report.html'].map(place.file)
    const offered = { ...FILES, html: 'report-2.html', md: 'report-2.md' }
    for (const form of FORMS) {
      const said = `${place.repo}/a is there already, and greenlatch did not write it`
      expect(refusal(await place.run(['report', `--${form}`, 'a']))).toEqual([2, said, `greenlatch report --${form} ${offered[form]}`])
      expect((await place.run(['report', `--${form}`, offered[form]])).code).toBe(0)
      expect((await place.run(['report', `--${form}`, offered[form]])).code).toBe(0)
      const other = form === 'md' ? 'junit' : 'md'
      expect(refusal(await place.run(['report', `--${other}`, offered[form]]))).toMatchObject([2, expect.stringContaining('is there already'), expect.any(String)])
    }
    expect(refusal(await place.run(['report', '--open', '--html', 'a']))[2]).toBe('greenlatch report --html report-2.html --open')
    expect(['a', 'report.html'].map(place.file)).toEqual(before)
  })

  it('writes several at once, each into its own file, or none of them where one cannot be', async () => {
    const { shop: place, id } = await checked()
    const all = FORMS.flatMap((form) => [`--${form}`, FILES[form]])
    const { code, stderr } = await place.run(['report', ...all])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^(written: \S+\n){4}they are changes of your repository now, /)])
    const { stdout } = await place.run(['report', '--junit', '--md', 'report.md'])
    expect(stdout).toBe(place.file('results.xml'))
    expect(refusal(await place.run(['report', id, '--md', 'fresh.md', '--html', 'a']))).toEqual([2, expect.stringContaining('a is there already'), `greenlatch report ${id} --html report.html --md fresh.md`])
    expect(readdirSync(place.repo)).not.toContain('fresh.md')
  })

  it('takes two forms neither to standard output nor to the same file', async () => {
    const { shop: place } = await checked()
    const next = 'greenlatch report --junit results.xml --sarif findings.sarif'
    expect(refusal(await place.run(['report', '--sarif', '--junit']))).toEqual([2, '--junit and --sarif both go to standard output; each needs a file of its own', next])
    expect(refusal(await place.run(['report', '--sarif', 'x', '--junit', './x']))).toEqual([2, '--junit and --sarif name the same file; each needs a file of its own', next])
    expect((await place.run(next.split(' ').slice(1))).code).toBe(0)
  })

  it('follows a link to a file, and writes into what is no file instead of replacing it', async () => {
    const { shop: place } = await worked()
    const at = (name: string): string => join(place.root, name)
    place.write('kept.md', '## Greenlatch: running\n')
    symlinkSync(join(place.repo, 'kept.md'), at('link'))
    symlinkSync('/dev/full', at('full'))
    expect((await place.run(['report', '--md', at('link')])).code).toBe(0)
    expect(refusal(await place.run(['report', '--md', at('full')]))).toMatchObject([10, expect.stringMatching(/\/full cannot be written: ENOSPC/), expect.any(String)])
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
    const piped = spawnSync('sh', ['-c', '"$0" "$1" report --md /dev/stdout | head -1', process.execPath, CLI], { cwd: place.repo, encoding: 'utf8', env: { ...process.env, ...place.env } })
    expect(piped).toMatchObject({ stdout: expect.stringMatching(/^## Greenlatch: /) as string, stderr: 'written: /dev/stdout\n' })
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
