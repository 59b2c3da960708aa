// Reads what real agent programs have written, kept beside as `fixtures/`, through their dialects.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AskRequest, Limits, Usage } from '../../../ports.js'
import { addUsage, NO_USAGE } from '../usage.js'
import type { Dialect, ReadRecord, Told } from './types.js'

export const WISH = { model: null, cwd: '/repo', left: { tokens: null, usd: null } }

export type Summary = { texts: string[]; doing: string[]; retries: string[]; usage: Usage | null; ended: Extract<Told, { kind: 'ended' }> | null }

/** What the dialect makes of a recorded file, line by line, with junk between the lines when it is asked for. */
export function readFixture({ newReader, readComplaint }: Dialect, name: string, junk: readonly string[] = []): Summary {
  const read = name.endsWith('.log') && readComplaint ? readComplaint : newReader()
  const lines = readFileSync(fixturePath(name), 'utf8').split('\n')
  return summaryOf(read, lines.flatMap((line) => [...junk, line]))
}

function summaryOf(read: ReadRecord, lines: readonly string[]): Summary {
  const summary: Summary = { texts: [], doing: [], retries: [], usage: null, ended: null }
  for (const told of lines.flatMap((line) => read(line))) {
    if (told.kind === 'text') summary.texts.push(told.text)
    if (told.kind === 'doing') summary.doing.push(told.note)
    if (told.kind === 'retry') summary.retries.push(told.note)
    if (told.kind === 'used') summary.usage = addUsage(summary.usage ?? NO_USAGE, told.usage)
    if (told.kind === 'total') summary.usage = told.usage
    if (told.kind === 'ended') summary.ended = told
    if (told.kind === 'goes-on') summary.ended = null
  }
  return summary
}

// ───────────────────────────── asking a stub ─────────────────────────────

const EFFECT: AskRequest['effect'] = {
  kind: 'ask', id: '1.act', phase: 'act', iteration: 0, plan: 0, tree: 't', pins: 'start', base: 'act', opensIteration: true, opensPlan: false,
  role: 'implementer', answers: 'implementer', yields: 'candidate', turn: 0, hints: [], nonce: '', decides: true,
  posture: { stance: null, focus: null, scope: null, roles: {} },
}

export function askIn(folder: string, limits: Partial<Limits> = {}, onActivity: AskRequest['onActivity'] = () => {}): AskRequest {
  return {
    session: 's1', effect: EFFECT, prompt: 'Make the file b.txt.', responsePath: join(folder, 'act-response.md'), cwd: folder, top: folder,
    limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1024 * 1024, ...limits }, left: { tokens: null, usd: null }, onActivity,
  }
}

export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))
}
