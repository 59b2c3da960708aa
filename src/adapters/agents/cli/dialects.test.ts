// What every dialect has to keep to, shown with what the real programs wrote when a model served them, and when it did not.
import { describe, expect, it } from 'vitest'
import { CLI_NAMES } from '../../../agent-entry.js'
import { readFixture, WISH } from './fixture.js'
import { dialectOf } from './table.js'

/** Lines that stand between records in the world: banners, blank lines, logs, broken and foreign JSON. */
const JUNK = ['', '   __( O)>  ● new session', '{"type":"result"', '{}', '[]', 'null', '{"type":42}', '{"type":"result","usage":null}'.slice(0, 20), '{"type":"unheard-of"}']

/** What the scripted model served in each of the recorded runs: 3 answers, 3500 tokens in, of them 2600 from a cache, 90 out. */
const SERVED = { input: 900, cachedInput: 2600, output: 90 }

describe('every known command line', () => {
  it.each(CLI_NAMES)('%s: a run that went well is done, with its last words, and its tokens are right to the token', async (name) => {
    const { texts, doing, usage, ended, retries } = readFixture(await dialectOf(name), `${name}-done.jsonl`)
    expect(ended).toMatchObject({ how: 'done' })
    expect(ended?.how === 'done' ? (ended.text ?? texts.at(-1)) : '').toBe('Done: b.txt is there.')
    expect(usage).toMatchObject(SERVED)
    expect(doing.join('\n')).toMatch(/b\.txt[^]*cat b\.txt/)
    expect(retries).toEqual([])
  })

  it.each(CLI_NAMES)('%s: banners, logs and broken records between its own change nothing', async (name) => {
    const dialect = await dialectOf(name)
    expect(readFixture(dialect, `${name}-done.jsonl`, JUNK)).toEqual(readFixture(dialect, `${name}-done.jsonl`))
  })

  it.each(CLI_NAMES)('%s: a run that is cut off before its closing record has none', async (name) => {
    const dialect = await dialectOf(name)
    const read = dialect.newReader()
    expect(JUNK.flatMap((line) => read(line))).toEqual([])
  })

  it.each(CLI_NAMES)('%s: the model that is wished for is named, and nothing secret or of the prompt is an argument', async (name) => {
    const { args, loginVariables, loginFiles } = await dialectOf(name)
    expect(args({ ...WISH, model: 'some/model' })).toContain('some/model')
    expect(args(WISH).join(' ')).not.toMatch(/model|key|token|secret/i)
    expect(loginVariables.length).toBeGreaterThan(0)
    expect(loginFiles.every((file) => !file.startsWith('/') && !file.startsWith('~'))).toBe(true)
  })
})
