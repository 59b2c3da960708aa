// The promise of the procedure that the page on own procedures shows: nothing converges without a reviewer's word.
import { describe, expect, it } from 'vitest'
import { makePlace } from './support/cli.js'
import { blocksOf } from './support/docs/blocks.js'

const settings = blocksOf('docs/how-to/own-procedure.md').find(({ lang }) => lang === 'yaml')?.text ?? ''

describe('the reviewed procedure of the page', () => {
  it.each([
    ['says nothing that can be used', 'cat > /dev/null; echo "looks fine to me"'],
    ['crashes', 'exit 1'],
  ])('never converges where the reviewer %s, and asks again until its iterations are spent', async (_, does) => {
    const place = makePlace()
    const coder = place.program('coder', 'cat > /dev/null', 'date +%s%N > done.txt')
    place.write('greenlatch.yaml', `${settings}\nagents: { coder: { command: ${coder} }, critic: { command: ${place.program('critic', does)} } }\n`)
    const ended = await place.run(['run', 'reviewed', 'make it', '--gate', 'test -f done.txt', '--agent', 'coder', '--agent', 'reviewer=critic', '--max-iterations', '3'])
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).not.toContain('CONVERGED')
    expect(place.starts('critic').length).toBeGreaterThan(1)
    expect(place.starts('coder').length).toBeGreaterThan(1)
  })
})
