// Commands of a fleet as tests give them, and what they tell.
import { expect } from 'vitest'
import type { Rig } from './fleet.js'

export type Row = { session: string; state: string; why: string | null; next: string | null; wins: boolean | null; lines: number | null; worker: string | null; iteration: number; spent: { usd: number } }

/** The sessions that were made. */
export async function submit(rig: Rig, ...args: string[]): Promise<string[]> {
  const ended = await rig.run(['submit', '--json', '--back-off', '1s', ...args])
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
  return (JSON.parse(ended.stdout) as { sessions: string[] }).sessions
}

export async function rows(rig: Rig): Promise<Map<string, Row>> {
  const { stdout } = await rig.run(['status', '--json'])
  return new Map((JSON.parse(stdout) as { sessions: Row[] }).sessions.map((row) => [row.session, row]))
}
