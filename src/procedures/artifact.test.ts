// Tests of `artifact`: a review that nobody can read is asked for once more, what an agent says of itself is not.
import { describe, expect, it } from 'vitest'
import { errs, openedWith, passes, play, type Played, type Script } from '../../test/support/core-cases.js'
import { artifact } from './artifact.js'

function reviewed(review: Script[string]): Played {
  return play(openedWith(artifact), { plan: [passes], generate: [passes], review })
}

function asksFor({ events }: Played, phase: string): number {
  return events.filter((event) => event.type === 'asked' && event.effect.phase === phase).length
}

describe('a review of artifact', () => {
  it('that cannot be read is asked for once more, and told why', () => {
    const played = reviewed([errs('agent'), passes])
    expect([asksFor(played, 'review'), played.session.finish?.outcome]).toEqual([2, 'completed'])
    const [first] = artifact.phases['review']?.kind === 'ask' ? artifact.phases['review'].prompt.filter(({ title }) => title.startsWith('WHAT WAS WRONG')) : []
    expect(first?.fragments).toEqual([{ section: 'fault' }])
  })

  it('that cannot be read twice, or says itself that it failed, ends the session', () => {
    expect(reviewed([errs('agent'), errs('agent')]).session.finish?.outcome).toBe('failed')
    const said = reviewed([errs('said'), passes])
    expect([asksFor(said, 'review'), said.session.finish?.outcome]).toEqual([1, 'failed'])
  })
})
