// Proves that memory and file stay bounded whatever comes, and that what is kept can be read.
import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { closeCapture, openCapture, take } from './capture.js'

const KEPT = 64 * 1024
const folder = mkdtempSync(join(tmpdir(), 'greenlatch-capture-'))

afterAll(() => rmSync(folder, { recursive: true }))

function capture(chunks: readonly (Buffer | string)[], path?: string, limitBytes = 1e9) {
  const open = openCapture(path, limitBytes)
  for (const chunk of chunks) take(open, Buffer.from(chunk as string))
  return { captured: closeCapture(open), fault: open.fault }
}

describe('the text that is kept', () => {
  it('is all of it, as long as it fits twice the kept size, however it is cut into chunks.', () => {
    const whole = Array.from({ length: 12_000 }, (_, index) => `line ${index}`).join('\n').slice(0, 2 * KEPT)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 * KEPT }), fc.integer({ min: 1, max: 30_000 }), (length, size) => {
        const text = whole.slice(0, length)
        const chunks = Array.from({ length: Math.ceil(length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
        return capture(chunks).captured.text === text
      }),
      { numRuns: 40 },
    )
  })

  it('is a head, a line that tells how much is missing, and a tail, cut between lines.', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`)
    const all = lines.join('')
    const { captured } = capture([all.slice(0, 100), all.slice(100, 300_000), all.slice(300_000)])
    const [, head = '', missing = '', tail = ''] = /^([^]*\n)\[… (\d+) bytes left out …\]\n([^]*)$/.exec(captured.text) ?? []
    expect(captured).toMatchObject({ bytes: all.length, cut: true })
    expect(all.startsWith(head)).toBe(true)
    expect(all.endsWith(`\n${tail}`)).toBe(true)
    expect(head.length + Number(missing) + tail.length).toBe(all.length)
    expect(head.length).toBeGreaterThan(KEPT - 100)
    expect(tail.length).toBeGreaterThan(KEPT - 100)
  })

  it('holds no half characters when one long line is cut.', () => {
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const { captured } = capture([lead, ...Array.from({ length: 50 }, () => '𝄞€é'.repeat(1000))])
      expect(captured.cut).toBe(true)
      expect(captured.text).not.toContain('\ufffd')
    }
  })

  it('shows invalid bytes as replacement characters and joins characters that came in two chunks.', () => {
    expect(capture([Buffer.from([0xff, 0x61, 0xe2, 0x82]), Buffer.from([0xac, 0xc3])]).captured.text).toBe('\ufffda€\ufffd')
  })

  it('is sanitised, also where a sequence came in two chunks.', () => {
    expect(capture(['a\u001b]52;c;', 'AAAA\u0007b\r\n']).captured).toEqual({ text: 'ab\n', bytes: 16, cut: false })
  })

  it('does not hold a buffer for each of very many tiny chunks.', () => {
    const open = openCapture(undefined, 1e9)
    for (let i = 0; i < 70_000; i++) take(open, Buffer.from('x'))
    expect(open.head.length).toBeLessThan(100)
    expect(closeCapture(open).text).toBe('x'.repeat(70_000))
  })
})

describe('the file', () => {
  it('holds the raw bytes up to the limit and is for its owner only.', () => {
    const path = join(folder, 'limited')
    const { captured } = capture(['ab\u001b[1m', 'cdef'], path, 8)
    expect(readFileSync(path, 'latin1')).toBe('ab\u001b[1mcd')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(captured.text).toBe('abcdef')
  })

  it('is not made when nothing comes, and one of an earlier attempt is taken away.', () => {
    const path = join(folder, 'silent')
    writeFileSync(path, 'earlier')
    expect(capture([], path).captured).toEqual({ text: '', bytes: 0, cut: false })
    expect(existsSync(path)).toBe(false)
  })

  it.each([
    ['symbolic link', symlinkSync],
    ['hard link', linkSync],
  ])('is never written through a %s.', (name, link) => {
    const target = join(folder, `target of ${name}`)
    const path = join(folder, name)
    writeFileSync(target, 'untouched')
    const open = openCapture(path, 100)
    link(target, path)
    take(open, Buffer.from('output'))
    closeCapture(open)
    expect(readFileSync(target, 'utf8')).toBe('untouched')
    expect(readFileSync(path, 'utf8')).toBe('output')
  })

  it('that cannot be written is named, and the text is kept all the same.', () => {
    const captured = { text: 'text', bytes: 4, cut: false }
    expect(capture(['text'], join(folder, 'no', 'such', 'folder'))).toEqual({ captured, fault: 'ENOENT' })
  })
})
