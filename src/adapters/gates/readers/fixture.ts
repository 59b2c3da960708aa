// What tests of readers share: reports from files beside them, and runs as short lines.
import { readFileSync } from 'node:fs'
import type { Fault, ReportFormat, TestRun } from '../../../text/failures/test-run.js'
import { readerFor } from './index.js'
import { createNames, type NamesOptions } from './names.js'

const OPTIONS: NamesOptions = { roots: ['/checkout'] }

export function fixtureText(name: string): string {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
}

export function runOf(format: ReportFormat, text: string, options: Partial<NamesOptions> = {}): TestRun {
  return runInPieces(format, [text], options)
}

export function runInPieces(format: ReportFormat, pieces: readonly string[], options: Partial<NamesOptions> = {}): TestRun {
  const reader = readerFor(format, createNames({ ...OPTIONS, ...options }))
  for (const piece of pieces) reader.push(piece)
  return reader.end()
}

export function fixtureRun(format: ReportFormat, name: string, options: Partial<NamesOptions> = {}): TestRun {
  return runOf(format, fixtureText(name), options)
}

/** `status id`, then for what failed `| kind type: first line of the message`; troubles at the end. */
export function brief({ cases, troubles }: TestRun): string[] {
  return [
    ...cases.map(({ status, id, fault }) => (fault === null ? `${status} ${id}` : `${status} ${id} | ${faultLine(fault)}`)),
    ...troubles.map(({ subject, fault }) => `trouble ${subject} | ${faultLine(fault)}`),
  ]
}

function faultLine({ kind, type, message }: Fault): string {
  return `${kind} ${type}: ${message.split('\n', 1)[0] ?? ''}`
}
