// A sealed check of a proved result against the bare command run as often.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inTurns, measured } from '../measure.mjs'
import { CLI, environment, makeRepository } from '../ours.mjs'

const FILES = {
  'src/a.js': 'export const one = () => 2\n',
  'test/a.test.js': `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { one } from '../src/a.js'\ntest('one', () => assert.equal(one(), 1))\n`,
  'package.json': '{"name":"a","type":"module","scripts":{"test":"node --test"}}\n',
}

export const title = 'The sealed check'

export async function measure({ quick, place, tell }) {
  const cwd = makeRepository(join(place, 'repo'), FILES)
  const settings = { cwd, env: environment(place, { GREENLATCH_STATE_HOME: join(place, 'state') }) }
  await measured([process.execPath, CLI, 'run', 'fix', '--gate', 'npm test', '--ai-cmd', 'sed -i s/2/1/ src/a.js'], settings)
  writeFileSync(join(cwd, 'src/a.js'), 'export const one = () => 1\n')
  return inTurns(quick ? 1 : 5, {
    twice: () => measured(['sh', '-c', 'npm test && npm test'], settings),
    verify: () => measured([process.execPath, CLI, 'verify'], settings),
  }, tell)
}

export function render({ twice, verify }) {
  const line = (name, { wall, cpu, megabytes: peak }) => [name, ms(wall), times(wall / twice.wall), ms(cpu), times(cpu / twice.cpu), megabytes(peak)]
  return {
    goals: [],
    body: `\`greenlatch verify\` on a small project, against its bare test command run twice, as the check does to confirm it. It makes a clean copy, reads the whole journal, runs the command in it and reads the reports.

${table(['', 'clock', 'ratio', 'CPU', 'ratio', 'peak RSS'], [line('bare command, twice', twice), line('`verify`', verify)])}

${verdict({
  slowest: `the commands themselves (${ms(twice.wall)} of ${ms(verify.wall)})`,
  limit: 'the bare command, run twice',
  near: `${times(verify.wall / twice.wall)} of it; what is added, ${ms(verify.wall - twice.wall)}, does not grow with the command`,
})}`,
  }
}
