import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { wantedTasks } from './submit-tasks.js'

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-tasks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, ...lines: string[]): string => {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  return name
}

const WHO = { agent: ['repair'], gate: ['make test'] }

describe('tasks for a fleet', () => {
  it('are one task over many repositories, or many tasks, or several candidates of each', () => {
    const everywhere = wantedTasks(['use the new logger'], { ...WHO, repository: ['/a'], repositories: file('all.txt', '/b', '# not this', '', '/c') }, folder, null)
    expect(everywhere.map(({ repository, text }) => [repository, text])).toEqual(['/a', '/b', '/c'].map((repository) => [repository, 'use the new logger']))
    const many = wantedTasks([], { ...WHO, file: file('tasks.txt', 'one', '{"task":"two","repository":"/b","gate":"true","labels":["gpu"],"priority":1}') }, folder, '/usual')
    expect(many).toMatchObject([{ text: 'one', repository: '/usual', words: { gate: ['make test'] } }, { text: 'two', repository: '/b', words: { gate: ['true'] }, labels: ['gpu'], priority: 1 }])
    const tries = wantedTasks(['x'], { ...WHO, bestOf: 3 }, folder, '/usual')
    expect(tries.map(({ candidate }) => candidate)).toEqual(Array.from({ length: 3 }, () => ({ group: '0', of: 3, enough: 2 })))
  })

  it('hold no NUL, which would only be met when a worker is at them', () => {
    for (const line of ['a\0b', '{"task":"a\\u0000b"}', '{"task":"x","gate":"fal\\u0000se"}', '{"task":"x","ref":"\\u0000"}']) {
      expect(() => wantedTasks([], { ...WHO, file: file('nul.txt', line) }, folder, '/usual'), line).toThrow('a task holds a NUL character')
    }
  })

  it('need nobody who answers and nothing that decides where they name a state of the settings that is trusted', () => {
    const [one, other] = ['a'.repeat(64), 'b'.repeat(64)]
    expect(wantedTasks(['x'], { trust: [one] }, folder, '/usual')).toMatchObject([{ trust: [one] }])
    const lines = wantedTasks([], { trust: [one], file: file('trust.txt', 'x', `{"task":"y","trust":"${other}"}`) }, folder, '/usual')
    expect(lines.map(({ trust }) => trust)).toEqual([[one], [other]])
    expect(() => wantedTasks(['x'], { trust: ['yes'] }, folder, '/usual')).toThrow('--trust: expected a hash of 64 digits')
    expect(() => wantedTasks([], { file: file('bad.txt', '{"task":"y","trust":"yes"}') }, folder, '/usual')).toThrow('bad.txt:1: expected a hash')
    expect(() => wantedTasks(['x'], {}, folder, '/usual')).toThrow('who answers has to be said')
    expect(wantedTasks(['x'], WHO, folder, '/usual')[0]).not.toHaveProperty('trust')
  })
})
