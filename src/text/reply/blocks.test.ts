// Tests of reading file and command blocks.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBlocks } from './blocks.js'

const file = (path: string, content: string): string => `=== FILE ${path} ===\n${content}=== END ===\n`
const tagged = (path: string, content: string, tag = 'x1'): string => `=== FILE ${path} :: ${tag} ===\n${content}=== END :: ${tag} ===\n`
const filesIn = (text: string): Record<string, string> => Object.fromEntries(readBlocks(text).files.map((one) => [one.path, one.text]))

describe('file blocks', () => {
  it.each([
    ['one', file('a.py', 'x = 1\n'), { 'a.py': 'x = 1\n' }],
    ['several, with words before and after', `I did it.\n\n${file('a.py', 'x\n')}\n${file('b/c.py', 'y\n')}\nAll tests pass.`, { 'a.py': 'x\n', 'b/c.py': 'y\n' }],
    ['an empty file', file('a.py', ''), { 'a.py': '' }],
    ['one at the very end of the text', file('a.py', 'x\n').trimEnd(), { 'a.py': 'x\n' }],
    ['spaces after the marks', '=== FILE a.py ===  \nx\n=== END ===\t\n', { 'a.py': 'x\n' }],
    ['line ends of another system', file('a.py', 'x\ny\n').replaceAll('\n', '\r\n'), { 'a.py': 'x\ny\n' }],
    ['line ends of the file itself', file('a.bat', 'x\r\ny\r\n'), { 'a.bat': 'x\r\ny\r\n' }],
    ['a fence inside the marks', file('a.py', '```python\nx = 1\n\ny = 2\n```\n'), { 'a.py': 'x = 1\n\ny = 2\n' }],
    ['a fence around the marks', `\`\`\`\n${file('a.py', 'x\n')}\`\`\`\n\n\`\`\`\n${file('b.py', 'y\n')}\`\`\`\n`, { 'a.py': 'x\n', 'b.py': 'y\n' }],
    ['fences that are content', file('a.md', '```sh\nls\n```\nand\n```sh\nps\n```\n'), { 'a.md': '```sh\nls\n```\nand\n```sh\nps\n```\n' }],
    ['a path in backticks, or from here', `${file('`a.py`', 'x\n')}${file('./b.py', 'y\n')}`, { 'a.py': 'x\n', 'b.py': 'y\n' }],
    ['a path with spaces and colons', file('my docs/a:b.md', 'x\n'), { 'my docs/a:b.md': 'x\n' }],
    ['a tagged one with the end mark inside', tagged('a.md', 'x\n=== END ===\n=== FILE b ===\ny\n'), { 'a.md': 'x\n=== END ===\n=== FILE b ===\ny\n' }],
    ['words between tagged ones', `${tagged('a', 'x\n')}and now\n${tagged('b', 'y\n')}`, { a: 'x\n', b: 'y\n' }],
    ['none of reasoning', `<think>${file('a.py', 'draft\n')}</think>\n${file('b.py', 'y\n')}`, { 'b.py': 'y\n' }],
    ['right after reasoning', `<think>hm</think>${file('a.py', 'x\n')}`, { 'a.py': 'x\n' }],
    ['reasoning between blocks', `${file('a', 'x\n')}<think>now\n${file('a', 'z\n')}b</think>\n${file('b', 'y\n')}`, { a: 'x\n', b: 'y\n' }],
    ['reasoning tags that are content', file('a.py', 'text.split("<think>")\n</think>\n'), { 'a.py': 'text.split("<think>")\n</think>\n' }],
  ])('IS-08 are read: %s', (_what, text, files) => {
    expect(filesIn(text)).toEqual(files)
    expect(readBlocks(text).refused).toEqual([])
  })

  it.each([
    ['an end mark inside', file('a.md', 'x\n=== END ===\ny\n'), ['a.md'], []],
    ['an end mark inside, before another block', `${file('a.md', 'x\n=== END ===\ny\n')}${file('b', 'y\n')}`, ['a.md'], ['b']],
    ['text after its end, before another block', `${file('a.md', 'x\n')}y\n${file('b', 'y\n')}`, ['a.md'], ['b']],
    ['no end before the next block', `=== FILE a ===\nx\n${file('b', 'y\n')}`, ['a'], ['b']],
    ['no end at all', `${file('b', 'y\n')}=== FILE a ===\nx\n`, ['a'], ['b']],
    ['a tag that never comes again', `${file('b', 'y\n')}=== FILE a :: t ===\nx\n=== END ===\n${file('c', 'z\n')}`, ['a'], ['b']],
    ['a later block that is not whole', `${file('a', 'x\n')}=== FILE a ===\ny`, ['a'], []],
    ['the name that the form shows', file('<path>', 'x\n'), ['<path>'], []],
  ])('IS-08 are refused by name for %s', (_why, text, refused, taken) => {
    const read = readBlocks(text)
    expect(read.refused.map((line) => line.split(': ', 1)[0])).toEqual(refused)
    expect(read.files.map(({ path }) => path)).toEqual(taken)
  })

  it('IS-08 say the way out when they are refused', () => {
    expect(readBlocks(file('a.md', 'x\n=== END ===\ny\n')).refused[0]).toContain('=== FILE a.md :: x1 === … === END :: x1 ===')
    expect(readBlocks('=== FILE a :: t ===\nx').refused).toEqual(['a: it is never closed; end it with a line === END :: t ==='])
    expect(readBlocks('=== FILE a ===\nx').refused).toEqual(['a: it is never closed; end it with a line === END ==='])
  })

  it('IS-08 count once when they say the same, and are refused when they do not', () => {
    const twice = `${file('a', 'x\n')}${file('b', 'b\n')}${file('./a', 'x\n')}=== DELETE c ===\n=== DELETE c ===\n`
    expect(readBlocks(twice)).toMatchObject({ files: [{ path: 'a', text: 'x\n' }, { path: 'b', text: 'b\n' }], deletes: ['c'], refused: [] })
    const { files, refused } = readBlocks(`${file('a', 'x\n')}${file('b', 'b\n')}${file('./a', 'y\n')}`)
    expect(files).toEqual([{ path: 'b', text: 'b\n' }])
    expect(refused).toEqual(['a: two blocks for it say different things; write one'])
  })

  it('are refused all together when they are too many or too long', () => {
    const many = Array.from({ length: 501 }, (_, at) => file(`f${at}`, 'x\n')).join('')
    expect(readBlocks(many)).toMatchObject({ files: [], refused: ['all files of the reply: more than 500 files or 8 million characters'] })
    expect(readBlocks(file('a', `${'x'.repeat(8_000_001)}\n`)).files).toEqual([])
    expect(readBlocks(many.slice(0, many.lastIndexOf('=== FILE'))).files).toHaveLength(500)
  })

  it('IS-08 bring any content through unchanged when they are tagged', () => {
    const pieces = fc.constantFrom('=== END ===\n', '=== FILE a ===\n', '```\n', '\r\n', '<think>', '</think>', '=== END :: x ===\n', '\u2028', '=== COMMAND ===\n', '=== DELETE a ===\n', ' \n')
    const content = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 8 }).map((list) => list.join(''))
    fc.assert(
      fc.property(content, fc.string(), fc.boolean(), (text, around, again) => {
        const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`
        const lead = again ? file('first', 'x\n') : `${around.replace(/[<=]/g, '')}\n`
        expect(filesIn(`${lead}${tagged('a/b.txt', whole, 'unlike-x1')}`)['a/b.txt']).toBe(whole)
      }),
    )
  })

  it('IS-08 never lose the end of a file in silence', () => {
    const line = fc.constantFrom('x', '', '=== END ===', '=== END === ', '```', '=== COMMAND', 'y')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const content = [...lines, 'last'].map((each) => `${each}\n`).join('')
        const { files, refused } = readBlocks(file('a', content))
        const taken = files.find(({ path }) => path === 'a')
        expect(taken === undefined ? refused.join() : taken.text).toContain(taken === undefined ? 'a: ' : 'last\n')
      }),
    )
  })

  it('never throw, and cost little on hostile text', () => {
    const mark = fc.constantFrom('=== FILE ', 'a ===\n', ' :: x ===\n', '=== END', ' ===\n', '=== COMMAND ===\n', '<think>', '```\n', '\n')
    fc.assert(fc.property(fc.array(fc.oneof(mark, fc.string({ unit: 'binary' }))), (list) => void readBlocks(list.join(''))))
    for (const junk of ['=== FILE a ===\n', '=== FILE ', '=== ', '=== FILE a :: b ===\n', ' :: a', '=== END ===\n', '<think>\n=== FILE a ===\n', '=== FILE a ===\n=== END ===\nx\n']) {
      expect(readBlocks(junk.repeat(1_000_000 / junk.length)).files.length).toBeLessThan(2)
    }
  })
})

describe('blocks that delete', () => {
  it.each([
    ['a line of its own', '=== DELETE a.py ===\n', ['a.py'], []],
    ['with an end mark, and among files', `${file('b', 'x\n')}=== DELETE ./a.py ===\n=== END ===\n${file('c', 'y\n')}`, ['a.py'], ['b', 'c']],
    ['the last line of Windows', '=== DELETE a b.py ===\r', ['a b.py'], []],
    ['not from a tagged file', tagged('a.md', '=== DELETE b ===\n'), [], ['a.md']],
    ['not from reasoning', '<think>=== DELETE a ===\n</think>', [], []],
  ])('IS-08 are read: %s', (_what, text, deletes, files) => {
    const read = readBlocks(text)
    expect([read.deletes, read.files.map(({ path }) => path), read.refused]).toEqual([deletes, files, []])
  })

  it('IS-08 are refused beside a file of the same name, whichever comes first', () => {
    for (const text of [`${file('a', 'x\n')}=== DELETE a ===\n`, `=== DELETE a ===\n${file('a', 'x\n')}`]) {
      expect(readBlocks(text)).toMatchObject({ files: [], deletes: [], refused: ['a: two blocks for it say different things; write one'] })
    }
  })

  it('IS-08 never cut a file that holds such a line, and name a file', () => {
    const { files, deletes, refused } = readBlocks(file('a.md', 'x\n=== DELETE <path> ===\ny\n'))
    expect([files, deletes, refused.map((line) => line.split(': ', 1)[0])]).toEqual([[], [], ['a.md', '<path>']])
  })

  it('count among the files of a reply', () => {
    const many = Array.from({ length: 501 }, (_, at) => `=== DELETE f${at} ===\n`).join('')
    expect(readBlocks(many)).toMatchObject({ deletes: [], refused: [expect.stringContaining('more than 500 files')] })
  })
})

describe('command blocks', () => {
  it.each([
    ['a line each', '=== COMMAND ===\nnpm test\n\npython3 -m pytest\n=== END ===\n', ['npm test', 'python3 -m pytest']],
    ['in a fence, with prompts', '=== COMMAND ===\n```sh\n$ npm test\n```\n=== END ===', ['npm test']],
    ['between files', `${file('a', 'x\n')}=== COMMAND ===\nls\n=== END ===\n${file('b', 'y\n')}`, ['ls']],
    ['not from a file', file('a', 'x\n=== COMMAND\n'), []],
    ['not from reasoning', '<think>=== COMMAND ===\nls\n=== END ===</think>', []],
    ['not with signs that nobody sees', '=== COMMAND ===\nrm \u200bx\nls\n=== END ===', ['ls']],
    ['not as the form shows them', '=== COMMAND ===\n<command>\n=== END ===', []],
  ])('IS-08 are read: %s', (_what, text, commands) => {
    expect(readBlocks(text).commands).toEqual(commands)
  })

  it('are refused when they are not closed', () => {
    expect(readBlocks('=== COMMAND ===\nrm -r x')).toMatchObject({ commands: [], refused: ['a block: it is never closed; end it with a line === END ==='] })
  })
})
