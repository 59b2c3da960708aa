import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../files/fixture.js'
import type { AskRequest } from '../../../ports.js'
import { recall, remember } from './memory.js'

function request(session: string): AskRequest {
  return { effect: { base: 'iteration-1/implement' }, responsePath: join(session, 'iteration-1/implement-response.md') } as AskRequest
}

const KNOWN = { known: new Set(['a', 'b']), tried: 2, over: true }
const NOTHING = { known: new Set(), tried: 0, over: false }
const DAMAGED = [
  '', '{', 'null', '5', '[]', '{"state":null}', '{"state":5}', '{"state":{"shapes":5,"tried":0,"over":false}}',
  '{"state":{"shapes":[5],"tried":1,"over":false}}', '{"state":{"shapes":[],"tried":"1","over":true}}', '{"state":{"shapes":[],"tried":1}}',
]

describe('the memory', () => {
  it('knows what was tried on the same sources, and nothing of others', () => {
    const asked = request(temporaryFolder())
    remember(asked, 'state', KNOWN)
    expect([recall(asked, 'state'), recall(asked, 'other')]).toEqual([KNOWN, NOTHING])
  })

  it.each(DAMAGED)('forgets what is damaged, and can be written again: %s', (text) => {
    const session = temporaryFolder()
    writeFileSync(join(session, 'repair-memory.json'), text)
    expect(recall(request(session), 'state')).toEqual(NOTHING)
    remember(request(session), 'other', KNOWN)
    expect([recall(request(session), 'state'), recall(request(session), 'other')]).toEqual([NOTHING, KNOWN])
  })
})
