// The first words of every conversation, and what an agent says of itself in answer to them.
import { isAbsolute } from 'node:path'
import type { Sandbox } from '../../../ports.js'
import type { Pipe } from '../../../process/types.js'
import { rawLineFeed } from '../../../text/line-feed.js'
import { isObject } from '../../../text/reply/json.js'
import { visible } from '../reach.js'

export const PROTOCOL_VERSION = 1

/** Everything is offered and then allowed or refused: an agent that is offered nothing does it by itself, without asking. */
export const GREETING = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  clientInfo: { name: 'greenlatch', title: 'Greenlatch', version: '1' },
}

const LIMITS = { wallSeconds: 20, silenceSeconds: 20, outputBytes: 1024 * 1024 }

/** Greets it and says no more. Null when it does not answer, or does not say. */
export async function versionOf(sandbox: Sandbox, argv: readonly [string, ...string[]], cwd: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  let version: string | null = null
  let pipe: Pipe | null = null
  const feed = rawLineFeed((line) => {
    const answer = answerIn(line)
    if (answer === null) return
    const info = answer['agentInfo']
    version = isObject(info) && typeof info['version'] === 'string' ? info['version'] : null
    pipe?.end()
  }, LIMITS.outputBytes)
  const onPipe = (opened: Pipe): void => {
    pipe = opened
    void opened.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: GREETING })}\n`)
  }
  await sandbox.run({ argv, cwd, env, limits: LIMITS, onPipe, onText: feed.push, reach: { network: 'none', read: argv.filter((word) => isAbsolute(word)).flatMap(visible) } })
  return version
}

/** What was answered; an error is an answer that says nothing. */
function answerIn(line: string): Record<string, unknown> | null {
  try {
    const message: unknown = JSON.parse(line)
    if (!isObject(message) || message['id'] !== 0) return null
    return isObject(message['result']) ? message['result'] : {}
  } catch {
    return null
  }
}
