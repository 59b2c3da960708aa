// What a model's server answered, kept as files beside the answer, without the key whatever the server repeats.
import { writeFileSync } from 'node:fs'
import { errnoOf } from '../../../files/durable.js'
import type { AskRequest } from '../../../ports.js'
import type { Redact } from '../../../text/redact.js'
import { artifactPath } from '../place.js'

export type ExchangeRecord = {
  files: string[]
  status(line: string): void
  text(text: string): void
  /** The text of the answer as it came, whole or not. */
  answer(text: string): void
  redact: Redact
  /** Writes what there is; empty, or one line when that failed. */
  close(): string
}

export function openRecord(request: Pick<AskRequest, 'responsePath' | 'limits'>, redact: Redact): ExchangeRecord {
  const most = request.limits.outputBytes
  const files: string[] = []
  let raw = ''
  let said = ''
  const write = (path: string, text: string): void => {
    if (text === '') return
    writeFileSync(path, redact(text), { mode: 0o600 })
    files.push(path)
  }
  return {
    files,
    redact,
    status: (line) => void (raw += `${raw === '' ? '' : '\n'}--- ${line}\n`),
    text: (text) => void (raw += raw.length < most ? text : ''),
    answer: (text) => void (said = text),
    close() {
      try {
        write(request.responsePath, said)
        write(artifactPath(request, 'exchange.log'), raw)
        return ''
      } catch (error) {
        return `the answer could not be saved (${errnoOf(error) ?? String(error)})`
      }
    },
  }
}
