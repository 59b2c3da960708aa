// The shape of what is told outside: notes for people, and commands that are run when something happens. Slow to load, as the schema is.
import * as z from 'zod'
import { HOOK_EVENTS, NOTE_EVENTS } from '../text/happenings.js'
import { openAddress } from '../text/web-address.js'
import { commandLine, list, map, number, oneOf, only, optional, truth, variable, webAddress } from './schema-blocks.js'

const seconds = number({ kind: 'number', least: 0.1, most: 600 })
export const notify = optional({
  on: list(oneOf(NOTE_EVENTS)).describe('What is told; without it all of them.'),
  terminal: truth.describe('false: no bell and no notes through the terminal.'),
  webhook: webAddress.describe('The address that JSON is posted to. https, or http on this machine.'),
  webhookVariable: variable.describe('The environment variable that holds the address; it counts before webhook.'),
  plainHttp: only.describe('Allows an http address on another machine.'),
  command: commandLine.describe('Gets the note on standard input. Text is run by the shell; a list is run as it stands.'),
  timeoutSeconds: seconds.describe('Longest time for the command.'),
}).superRefine((value, context) => {
  const fault = 'webhook' in value && !value['plainHttp'] ? openAddress(value['webhook'] as string) : null
  if (fault !== null) context.addIssue({ code: 'custom', path: ['webhook'], message: fault })
})
export const hook = map({
  on: z.union([oneOf(HOOK_EVENTS), list(oneOf(HOOK_EVENTS)).min(1, { error: 'expected at least one event' })], { error: `expected one of ${HOOK_EVENTS.join(', ')}, or a list of these` }).describe('What it is run for.'),
  run: commandLine.describe('Gets what happened as JSON on standard input. Text is run by the shell; a list is run as it stands.'),
  timeoutSeconds: seconds.exactOptional().describe('Longest time for it, 60 where nothing is said.'),
})
