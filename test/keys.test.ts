// Keys of models and values of variables: who never sees them, and where they are never written.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace } from './support/cli.js'

const SECRET = 'value-that-nobody-may-read'

describe('keys of models', () => {
  it('are not in the environment of gates: those that settings name, and the logins of every known agent; what is passed on is', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'agents:\n  near: { chat: "http://127.0.0.1:9/v1", key: NEAR_KEY }\n')
    const env = { NEAR_KEY: SECRET, ANTHROPIC_API_KEY: SECRET, OPENAI_API_KEY: SECRET, GEMINI_API_KEY: SECRET, DATABASE_URL: 'theirs' }
    const gate = place.program('gate', `env | grep -c '${SECRET}' > ${join(place.root, 'seen')}`, `echo "$DATABASE_URL" >> ${join(place.root, 'seen')}`)
    const { code } = await place.run(['run', 'converge', '--gate', gate, '--pass-env', 'DATABASE_URL', '--agent', place.scripted([{ write: { 'a.txt': 'a' } }])], { env })
    expect([code, place.read('seen')]).toEqual([0, '0\ntheirs\n'])
  })

  it('are not there either where the agent came only with a resume', async () => {
    const place = makePlace()
    const gate = place.program('gate', `env | grep -c '${SECRET}' > ${join(place.root, 'seen')}`, 'false')
    const env = { LATE_KEY: SECRET }
    await place.run(['run', 'converge', '--gate', gate, '--max-iterations', '1', '--agent', place.scripted([{ write: { 'a.txt': 'a' } }])])
    const other = place.program('other', 'cat >/dev/null', "printf '=== FILE a.txt ===\\nb\\n=== END ===\\n'")
    const late = 'late: { chat: "http://127.0.0.1:9/v1", key: LATE_KEY }'
    place.write('greenlatch.yaml', `agents:\n  ${late}\n  other: { command: ${other}, replies: text, fallback: late }\n`)
    rmSync(join(place.root, 'seen'))
    await place.run(['resume', '--agent', 'other', '--max-iterations', '2'], { env })
    expect(place.read('seen')).toBe('0\n')
    rmSync(join(place.root, 'seen'))
    await place.run(['resume', '--agent', place.scripted([{ write: { 'a.txt': 'c' } }]), '--max-iterations', '3'], { env })
    expect(place.read('seen')).toBe('0\n')
  })

  it('are there for a gate whose own settings hand one over', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', `gates:\n  - { name: own, run: 'echo "$OPENAI_API_KEY" > ${join(place.root, 'seen')}', env: { OPENAI_API_KEY: theirs } }\n`)
    await place.run(['run', 'converge', '--agent', place.scripted([{ write: { 'a.txt': 'a' } }])], { env: { OPENAI_API_KEY: SECRET } })
    expect(place.read('seen')).toBe('theirs\n')
  })
})

describe('values of an agent\'s variables', () => {
  const settings = (program: string) => `agents:\n  mine: { command: ${program}, env: { MY_TOKEN: ${SECRET} }, pass_env: [OPENAI_API_KEY] }\nagent: mine\n`

  it('are shown by no command: names are', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', settings(place.program('agent', 'true')))
    for (const words of [['config'], ['config', '--json'], ['doctor'], ['doctor', '--json'], ['agents'], ['run', 'ooda', '--dry-run']]) {
      const { stdout, stderr } = await place.run(words)
      expect(stdout + stderr, words.join(' ')).not.toContain(SECRET)
      if (words[0] === 'config') expect(stdout).toContain('MY_TOKEN')
    }
  })

  it('reach neither the terminal nor a file of the session when the agent prints them, nor do its logins', async () => {
    const place = makePlace()
    const login = 'login-0123456789-abcdef'
    const said = 'printf "%s" "$MY_TOKEN" | cut -c1-9 | tr -d "\\n"; sleep 0.2; printf "%s\\n" "$MY_TOKEN" | cut -c10-'
    const agent = place.program('agent', 'cat > /dev/null', said, 'echo "not with $MY_TOKEN nor $OPENAI_API_KEY" >&2', 'date +%N > a.txt', 'exit 1')
    place.write('greenlatch.yaml', settings(agent))
    const { stdout, stderr } = await place.run(['run', 'converge', '--gate', 'false', '--max-iterations', '1'], { env: { OPENAI_API_KEY: login } })
    const report = (await place.run(['report'])).stdout
    expect(stdout + stderr + report).not.toMatch(new RegExp(`${SECRET}|${login}`))
    const files = readdirSync(place.session(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const holding = files.filter((file) => [SECRET, login].some((secret) => readFileSync(file, 'latin1').includes(secret)))
    expect(holding).toEqual([join(place.session(), 'agents-env.json')])
    const kept = (name: string): string => readFileSync(join(place.session(), 'iteration-1', name), 'utf8')
    expect(kept('implement-stderr.log')).toBe('not with *** nor ***\n')
    expect(kept('implement-response.md')).toBe('***\n')
  })

  it('are handed to the agent, after a resume too, and stand in no file of the session but one that is the user\'s alone', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat > /dev/null', `echo "$MY_TOKEN" >> ${join(place.root, 'seen')}`, 'date +%N > a.txt')
    place.write('greenlatch.yaml', settings(agent))
    await place.run(['run', 'converge', '--gate', 'false', '--max-iterations', '1'])
    await place.run(['resume', '--max-iterations', '2'])
    const seen = place.read('seen').trim().split('\n')
    expect(seen.length).toBeGreaterThan(1)
    expect(new Set(seen)).toEqual(new Set([SECRET]))
    const files = readdirSync(place.session(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const holding = files.filter((file) => readFileSync(file, 'latin1').includes(SECRET))
    expect(holding).toEqual([join(place.session(), 'agents-env.json')])
    expect(statSync(holding[0] ?? '').mode & 0o077).toBe(0)
    rmSync(holding[0] ?? '')
    const without = await place.run(['resume', '--max-iterations', '3'])
    expect([without.code, without.stderr]).toEqual([10, expect.stringContaining('MY_TOKEN')])
  })
})
