// Tests of the agent that is a person.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AskRequest } from '../../ports.js'
import { pasteAgent } from './paste.js'

let folder = ''
let responsePath = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-paste-'))
  responsePath = join(folder, 'act-response.md')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ask = (outputBytes = 1000) => {
  const limits = { wallSeconds: 1, silenceSeconds: 1, outputBytes }
  return pasteAgent({ name: 'me' }).ask({ responsePath, limits } as AskRequest, new AbortController().signal)
}

describe('a person', () => {
  it('has not answered while there is no response, or an empty one, and then nothing is written', async () => {
    const before = statSync(folder, { bigint: true })
    expect(await ask()).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
    expect(statSync(folder, { bigint: true })).toMatchObject({ mtimeNs: before.mtimeNs, ctimeNs: before.ctimeNs })
    writeFileSync(responsePath, ' \n\t\n')
    expect(await ask()).toBeUndefined()
  })

  it('has answered when the response file says something', async () => {
    writeFileSync(responsePath, 'I did it.\n')
    expect(await ask()).toEqual({
      ending: 'done',
      note: 'answered by a person',
      text: 'I did it.\n',
      files: [responsePath],
      spent: { seconds: 0, tokens: 0, usd: 0 },
    })
  })

  it('is not waited for at a pipe, and has not answered with a folder', async () => {
    execFileSync('mkfifo', [responsePath])
    expect(await ask()).toBeUndefined()
    rmSync(responsePath)
    mkdirSync(responsePath)
    expect(await ask()).toBeUndefined()
  })

  it('is read up to the limit', async () => {
    writeFileSync(responsePath, 'x'.repeat(5000))
    expect((await ask(100))?.text).toHaveLength(100)
  })

  it('is always ready and is known to be a person', async () => {
    const agent = pasteAgent({ name: 'me' })
    expect(await agent.ready()).toBeNull()
    expect(agent.person).toBe(true)
  })
})
