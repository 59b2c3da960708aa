// Sessions of `artifact`, brought to any of their phases through the CLI, and one transition looked at from all sides.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { hashesOf, type Ended, type Place } from './cli.js'

export const PLAN = 'One file, hello.txt, that says hello.\n'
export const CODE = '=== FILE hello.txt ===\nhello\n=== END ===\n'
export const REVISED = '=== FILE src/hello.txt ===\nhello, world\n=== END ===\n'
export const FAILS = '{"verdict":"fail","findings":[{"category":"design","severity":"error","path":"hello.txt","description":"greets nobody"}]}\n'
export const PASSES = '{"verdict":"pass","findings":[]}\n'

export type Told = {
  phase: string
  status: string
  session_id: string
  current_iteration: number
  updated_at: string
  phase_history: { phase: string; status: string; at: string }[]
  artifacts: { path: string; iteration: number }[]
}

/** What session.json says. */
export function told(place: Place): Told {
  return JSON.parse(readFileSync(join(place.session(), 'session.json'), 'utf8')) as Told
}

/** A scripted agent that says these things, one after another and the last for ever. */
export function says(place: Place, name: string, ...texts: string[]): string {
  const path = join(place.root, `${name}.json`)
  writeFileSync(path, JSON.stringify({ turns: texts.map((say) => ({ say })) }))
  return `scripted:${path}`
}

export type Roles = Partial<Record<'planner' | 'implementer' | 'reviewer', string>>

export function agents(roles: Roles): string[] {
  const all = { planner: 'paste', implementer: 'paste', reviewer: 'paste', ...roles }
  return Object.entries(all).flatMap(([role, agent]) => ['--agent', `${role}=${agent}`])
}

export async function open(place: Place, ...more: string[]): Promise<string> {
  const opened = await place.run(['open', 'artifact', 'say hello', ...agents({}), ...more])
  expect(opened.code, opened.stderr).toBe(0)
  return opened.stdout.trim()
}

/** Runs until a person is waited for. */
async function runTo(place: Place, phase: string, roles: Roles, ...more: string[]): Promise<void> {
  const ran = await place.run(['run', 'artifact', 'say hello', ...agents(roles), ...more])
  expect(ran.code, ran.stderr).toBe(8)
  expect(told(place).phase).toBe(phase)
}

export function put(place: Place, file: string, text: string): void {
  mkdirSync(dirname(join(place.session(), file)), { recursive: true })
  writeFileSync(join(place.session(), file), text)
}

export function has(place: Place, file: string): boolean {
  return existsSync(join(place.session(), file))
}

export function textOf(place: Place, file: string): string {
  return readFileSync(join(place.session(), file), 'utf8')
}

export async function generating(place: Place, ...more: string[]): Promise<void> {
  await runTo(place, 'GENERATING', { planner: says(place, 'planner', PLAN) }, ...more)
}

export async function reviewing(place: Place, ...more: string[]): Promise<void> {
  await runTo(place, 'REVIEWING', { planner: says(place, 'planner', PLAN), implementer: says(place, 'implementer', CODE) }, ...more)
}

export async function revising(place: Place, ...more: string[]): Promise<void> {
  const roles = { planner: says(place, 'planner', PLAN), reviewer: says(place, 'reviewer', FAILS) }
  await runTo(place, 'GENERATING', roles, ...more)
  put(place, 'iteration-1/generation-response.md', CODE)
  const resumed = await place.run(['resume'])
  expect(resumed.code, resumed.stderr).toBe(8)
  expect(told(place).phase).toBe('REVISING')
}

export async function revised(place: Place, response: string): Promise<void> {
  await revising(place)
  put(place, 'iteration-2/revision-response.md', response)
  expect(await place.run(['step'])).toMatchObject({ code: 0 })
  expect(told(place).phase).toBe('REVISED')
}

type Expected = { to: string; status?: string; iteration: number; code?: number }

/** One step, one more entry of history, times moved, and nothing that was there before touched. */
export async function moves(place: Place, { to, status = 'IN_PROGRESS', iteration, code = 0 }: Expected): Promise<Ended> {
  const before = told(place)
  const files = madeFiles(place)
  const stepped = await place.run(['step', '--json'])
  expect(stepped.code, stepped.stderr).toBe(code)
  const names = { phase: to, status, current_iteration: iteration, session_id: before.session_id }
  expect(JSON.parse(stepped.stdout)).toMatchObject(names)
  const after = told(place)
  expect(after).toMatchObject(names)
  expect(after.updated_at > before.updated_at).toBe(true)
  expect(after.phase_history).toEqual([...before.phase_history, { phase: to, status, at: after.updated_at }])
  expect(after.artifacts).toEqual(expect.arrayContaining(before.artifacts))
  expect(madeFiles(place)).toMatchObject(files)
  return stepped
}

/** Prompts, responses, the plan and the code: everything that people read. */
function madeFiles(place: Place): Record<string, string> {
  const all = Object.entries(hashesOf(place.session()))
  return Object.fromEntries(all.filter(([path]) => /^iteration-|^plan/.test(path)))
}

/** Nothing on disk is another afterwards, and the caller learns where the answer goes. */
export async function isBlocked(place: Place, awaited: string): Promise<void> {
  const files = hashesOf(place.state)
  const stepped = await place.run(['step', '--json'])
  expect(stepped.code, stepped.stderr).toBe(8)
  expect(JSON.parse(stepped.stdout)).toMatchObject({ put: join(place.session(), awaited) })
  expect(hashesOf(place.state)).toEqual(files)
}
