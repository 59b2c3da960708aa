// Gates with real tests through the command line: what the journal says of them, and how a run sees its tests turn green.
import { describe, expect, it } from 'vitest'
import type { Report } from '../src/core/types.js'
import { eventsOf, makePlace, type Place } from './support/cli.js'

function reportsOf(place: Place): Report[] {
  return eventsOf(place.session()).flatMap((event) => (event.type === 'observed' && event.report.gates.length > 0 ? [event.report] : []))
}

const TEST = `const { it } = require('node:test')
const { equal } = require('node:assert')
it('adds', () => equal(require('./sum.js')(1, 2), 3))
it('stays', () => {})
`

describe('a gate that runs tests', () => {
  it('tells the journal which tests fail, by name, and that they pass once the agent has mended the code.', async () => {
    const place = makePlace()
    place.write('sum.test.js', TEST)
    place.write('sum.js', 'module.exports = (a, b) => a - b\n')
    place.write('package.json', '{"private":true,"scripts":{"test":"node --test"}}')
    const agent = place.scripted([{ say: 'looked' }, { say: 'mended', write: { 'sum.js': 'module.exports = (a, b) => a + b\n' } }])
    const ended = await place.run(['run', 'ooda', '--max-iterations', '2', '--agent', agent, '--gate', 'npm test'])
    expect(ended.code).toBe(0)
    const [first, second] = reportsOf(place)
    expect(first?.gates).toMatchObject([{ exit: 'fail', known: true, complete: true, note: 'exit 1; 1 of 2 tests failed' }])
    expect(first?.failures).toMatchObject([{ subject: 'sum.test.js::adds', message: expect.stringContaining('-1') }])
    expect(second?.gates).toMatchObject([{ exit: 'pass', known: true, complete: true, note: 'exit 0; 2 tests' }])
  })

  it('reads the report that its entry in the configuration names.', async () => {
    const place = makePlace()
    place.write('report.xml', '<testsuite><testcase classname="a.B" name="c"><failure message="no"/></testcase></testsuite>')
    const report = 'report: { path: "out/*.xml", format: junit }'
    place.write('greenlatch.yaml', `gates:\n  - { name: java, run: "mkdir -p out; cp report.xml out/; exit 1", ${report} }\n`)
    await place.run(['run', 'ooda', '--max-iterations', '1', '--agent', place.scripted([{ say: 'done' }])])
    expect(reportsOf(place)[0]).toMatchObject({ gates: [{ gate: 'java', exit: 'fail', known: true }], failures: [{ subject: 'a.B > c' }] })
  })
})
