// State that cannot be read, and a disk without room: named, kept, and gone on from.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLI, makePlace } from './support/cli.js'

const ONCE = ['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true']

it('RO-18 a damaged session is a warning that names the file, which is kept, and a fresh one starts; a damaged cache is made again', async () => {
  const place = makePlace()
  await place.run(ONCE)
  const damaged = join(place.session(), 'journal.jsonl')
  writeFileSync(damaged, readFileSync(damaged, 'utf8').replaceAll('"events"', '"evnets"'))
  const before = readFileSync(damaged)
  const fresh = await place.run(ONCE)
  expect(fresh.code).toBe(0)
  expect(fresh.stderr).toMatch(/^warning: .*journal\.jsonl is damaged at record 1 .*the file is kept as it is$/m)
  expect(readFileSync(damaged)).toEqual(before)
  writeFileSync(join(place.session(), 'session.json'), 'garbage')
  const status = await place.run(['status'])
  expect([status.code, status.stderr]).toEqual([0, expect.stringContaining('session.json could not be read; the session was rebuilt from its journal')])
})

it('RO-19 a disk that is nearly full stops a session before it is made, and one that is there before an agent is asked, with need, have and the way on; best effort goes on', () => {
  const place = makePlace()
  execFileSync('git', ['init', '-q', place.repo])
  writeFileSync(join(place.root, 'best.yaml'), 'persistence: best-effort\n')
  const agent = place.program('agent', 'true')
  const run = `"$0" "$1" run ooda --max-iterations 1 --ai-cmd ${agent}`
  const opened = '$(ls -d ../state/*/sessions/2* | head -1 | xargs basename)'
  const script = `mkdir state && mount -t tmpfs -o size=8m tmpfs state && export GREENLATCH_STATE_HOME="$PWD/state" && cd repo &&
    { ${run}; echo "code $?"; ls ../agent.starts ../state/*/sessions/2* 2>/dev/null; mount -o remount,size=64m ../state; ${run.replace(' run ', ' open ')}; echo "code $?"; mount -o remount,size=8m ../state; "$0" "$1" resume ${opened}; echo "code $?"
      ls ../agent.starts 2>/dev/null; ${run} --fresh --config ../best.yaml; echo "code $?"; mount -o remount,size=64m ../state; "$0" "$1" resume ${opened}; echo "code $?"; } 2>&1`
  const namespace = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const env = { PATH: process.env['PATH'], HOME: place.home, GREENLATCH_SANDBOX: 'none' }
  const said = execFileSync('unshare', ['--mount', ...namespace, 'sh', '-c', script, process.execPath, CLI], { cwd: place.root, encoding: 'utf8', env })
  const [none = '', opening = '', full = '', best = '', resumed = ''] = said.split(/^code /m)
  expect(none).toMatch(/too little space left .*: need 16,777,216 bytes, have [\d,]+ bytes; stopped before anything was begun.*\n {2}next: greenlatch run ooda .*\n/)
  expect(opening).toMatch(/^10\n(?!\.\.\/)/)
  expect(full).toMatch(/^0\n[^]*too little space left .*: need 16,777,216 bytes, have [\d,]+ bytes; stopped before anything was begun.*\n {2}next: greenlatch resume \S+\n/)
  expect(best).toMatch(/^10\n(?!\.\.\/agent\.starts)/)
  expect(resumed).toMatch(/^0\n/)
  expect(said).toMatch(/code 0\n$/)
  expect(existsSync(join(place.root, 'agent.starts'))).toBe(true)
})
