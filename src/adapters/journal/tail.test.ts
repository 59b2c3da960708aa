// Tests of reading on in a journal that somebody else writes.
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createJournal } from './files.js'
import { fold, hint, opened, stillClock } from './sample.js'
import { tailJournal, type Tail } from './tail.js'

let folder = ''
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'greenlatch-tail-')), 'one')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const path = (): string => join(folder, 'journal.jsonl')

function begin() {
  const { journal, loaded } = createJournal({ folder, fold, clock: stillClock() }, opened)
  let { session } = loaded
  return (text: string): void => {
    session = fold.apply(session, hint(text))
    journal.append([hint(text)], session)
  }
}

async function seqs(tail: Tail): Promise<(number | string)[]> {
  const found: (number | string)[] = []
  for await (const { record, again } of tail.next()) found.push(again ? `again ${record.seq}` : record.seq)
  return found
}

describe('the tail of a journal', () => {
  it('gives each record once, as they come', async () => {
    const append = begin()
    const tail = tailJournal(folder)
    append('a')
    expect(await seqs(tail)).toEqual([1, 2])
    expect(await seqs(tail)).toEqual([])
    append('b')
    append('c')
    expect(await seqs(tail)).toEqual([3, 4])
  })

  it('waits for the rest of a record that is half written', async () => {
    const append = begin()
    append('a')
    const whole = readFileSync(path(), 'utf8')
    const [first = '', second = ''] = whole.split('\n')
    writeFileSync(path(), `${first}\n${second.slice(0, 20)}`)
    rmSync(join(folder, 'session.json'), { force: true })
    const tail = tailJournal(folder)
    expect(await seqs(tail)).toEqual([1])
    appendFileSync(path(), `${second.slice(20)}\n`)
    expect(await seqs(tail)).toEqual([2])
  })

  it('begins anew when the journal has become another one, as after a repair', async () => {
    const append = begin()
    append('a')
    append('b')
    const tail = tailJournal(folder)
    expect(await seqs(tail)).toEqual([1, 2, 3])
    writeFileSync(path(), `${readFileSync(path(), 'utf8').split('\n').slice(0, 2).join('\n')}\n`)
    expect(await seqs(tail)).toEqual(['again 1', 2])
  })

  it('begins anew when another journal, as long or longer, has taken its place', async () => {
    const append = begin()
    append('a')
    const tail = tailJournal(folder)
    expect(await seqs(tail)).toEqual([1, 2])
    const lines = readFileSync(path(), 'utf8').split('\n')
    const [own] = [folder, (folder = join(folder, '..', 'two'))]
    const other = begin()
    for (const text of ['x', 'y', 'z']) other(text)
    const longer = readFileSync(path(), 'utf8')
    folder = own
    writeFileSync(path(), longer)
    expect(await seqs(tail)).toEqual(['again 1', 2, 3, 4])
    writeFileSync(path(), lines.map((line) => line.replace('"at"', '"ta"')).join('\n'))
    await expect(seqs(tail)).rejects.toMatchObject({ code: 10 })
    rmSync(join(folder, 'session.json'), { force: true })
    writeFileSync(`${path()}.new`, lines.join('\n'))
    renameSync(`${path()}.new`, path())
    expect(await seqs(tail)).toEqual(['again 1', 2])
  })

  it('refuses what is damaged', async () => {
    const append = begin()
    append('a')
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('"a"', '"x"'))
    await expect(seqs(tailJournal(folder))).rejects.toMatchObject({ code: 10, message: expect.stringContaining('is damaged at record 2') })
  })
})
