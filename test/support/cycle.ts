// A small repository and scripted agents for the procedure `cycle`.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '../../src/core/types.js'
import { makePlace, type Ended, type Place, type Turn } from './cli.js'

export function git(place: Place, ...args: string[]): string {
  return execFileSync('git', args, { cwd: place.repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** On `main` with one commit of these files and a specification. */
export function repository(files: Record<string, string> = { 'src/a.txt': 'one\n' }): Place {
  const place = makePlace()
  git(place, 'init', '-q', '-b', 'main')
  git(place, 'config', 'user.name', 'Someone')
  git(place, 'config', 'user.email', 'someone@example.com')
  for (const [path, text] of Object.entries({ 'SPEC.md': '# Add two\n\nThe file has to say two.\n', ...files })) place.write(path, text)
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'first')
  return place
}

export type Finding = { category: string; severity: string; path: string; line?: number; snippet: string; description: string; fix: string }

export const PASS: Turn = { say: '{"verdict": "pass", "findings": []}' }

export function finds(...findings: Finding[]): Turn {
  return { say: JSON.stringify({ verdict: 'fail', findings }) }
}

type Players = { coder: Turn[]; auditor?: Turn[]; gates: string[] }

/** `run cycle --id 05 --spec SPEC.md` and more. */
export function cycle(place: Place, { coder, auditor = [PASS], gates }: Players, ...more: string[]): Promise<Ended> {
  return place.run(['run', 'cycle', '--id', '05', '--spec', 'SPEC.md', ...players(place, { coder, auditor, gates }), ...more])
}

export function players(place: Place, { coder, auditor = [PASS], gates }: Players): string[] {
  const script = (name: string, turns: Turn[]): string => {
    writeFileSync(join(place.root, `${name}.json`), JSON.stringify({ turns }))
    return `scripted:${join(place.root, `${name}.json`)}`
  }
  const agents = ['--agent', `implementer=${script('coder', coder)}`, '--agent', `auditor=${script('auditor', auditor)}`]
  return [...agents, ...gates.flatMap((gate) => ['--gate', gate])]
}

export const writes = (text: string, path = 'src/a.txt'): Turn => ({ write: { [path]: `${text}\n` } })

/** The phases that were asked, in order. */
export function phasesOf(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.type === 'asked' ? [event.effect.phase] : []))
}
