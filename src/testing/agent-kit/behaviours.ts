// What a far end can be made to do, and the steps by which the stand-in program does it.
import type { Closing, Speech } from './speech.js'

/**
 * `chatter` works for ever and shows it, `silence` begins and is never heard of again; both have changed a file before. `garbage`
 * speaks no language and ends; `partial` is cut off within its last record.
 */
export type Behaviour = 'success' | 'no-change' | 'error' | 'chatter' | 'silence' | 'flood' | 'garbage' | 'partial' | 'retry-storm' | 'limit' | 'orphan'

export type Step =
  | { do: 'print' | 'complain'; text: string }
  | { do: 'bytes'; base64: string }
  | { do: 'write'; path: string; text: string }
  | { do: 'flood'; bytes: number }
  | { do: 'repeat'; on: 'out' | 'err'; text: string; everySeconds: number }
  | { do: 'hang' }
  | { do: 'orphan'; noteIn: string }
  | { do: 'exit'; code: number }

export type StepOptions = {
  /** With `limit`: when it is over, in milliseconds of the wall clock. */
  until: number
  /** With `orphan`: where the id of the process is noted that is left behind. */
  noteIn: string
  /** What it writes, path under its folder → text, before it meets a limit too; else one file, where it changes something. */
  writes?: Readonly<Record<string, string>>
}

/** What a far end says when it goes well and when it fails, and the file that it writes in the folder it works in. */
export const SAID = 'The work is done: lime, pear and plum.'
const FAILED = 'the work could not be done: no lime'
export const MADE = { path: 'made-by-the-stub.txt', text: 'lime\n' } as const

const FLOOD_BYTES = 24 * 1024 * 1024
const CHATTER_SECONDS = 0.05

export function stepsOf(behaviour: Behaviour, speech: Speech, { until, noteIn, writes }: StepOptions): Step[] {
  const begin = print(speech.begins)
  const change = Object.entries(writes ?? { [MADE.path]: MADE.text }).map(([path, text]): Step => ({ do: 'write', path, text }))
  const success = closing(speech.succeeds(SAID))
  switch (behaviour) {
    case 'success':
      return [begin, ...change, ...success]
    case 'no-change':
      return [begin, ...success]
    case 'error':
      return [begin, ...closing(speech.fails(FAILED))]
    case 'chatter':
      return [begin, ...change, repeat({ on: 'out', line: speech.works })]
    case 'silence':
      return [begin, ...change, { do: 'hang' }]
    case 'flood':
      return [begin, { do: 'flood', bytes: FLOOD_BYTES }, print(['']), ...success]
    case 'garbage':
      return [{ do: 'bytes', base64: garbage().toString('base64') }, { do: 'exit', code: 0 }]
    case 'partial':
      return [begin, print([speech.works]), ...cutOff(speech.succeeds(SAID)), { do: 'exit', code: 0 }]
    case 'retry-storm':
      return [begin, repeat(speech.retries ?? { on: 'out', line: speech.works })]
    case 'limit':
      return [begin, ...(writes ? change : []), ...closing(speech.limited(until))]
    case 'orphan':
      return [begin, { do: 'orphan', noteIn }, ...success]
  }
}

function print(lines: readonly string[]): Step {
  return { do: 'print', text: lines.map((line) => `${line}\n`).join('') }
}

function repeat({ on, line }: NonNullable<Speech['retries']>): Step {
  return { do: 'repeat', on, text: `${line}\n`, everySeconds: CHATTER_SECONDS }
}

function closing({ out = [], err = [], exit = 0 }: Closing): Step[] {
  return [print(out), { do: 'complain', text: err.map((line) => `${line}\n`).join('') }, { do: 'exit', code: exit }]
}

function cutOff({ out = [] }: Closing): Step[] {
  const whole = out.slice(0, -1)
  const last = out.at(-1) ?? ''
  return [print(whole), { do: 'print', text: last.slice(0, Math.floor(last.length / 2)) }]
}

/** Bytes that are no text, terminal codes, and JSON of every shape but the right one. */
function garbage(): Buffer {
  const lines = ['null', '42', '"text"', '[]', '{}', '{"type":7}', '{"type":null,"message":{"content":[null,3,"x",{"type":"text"}]}}', '{"type":"result"}',
    '{"type":"assistant","message":null}', '{"type":"item.completed"}', '{"type":"step_finish","part":{"tokens":"many"}}', '{"__proto__":{"polluted":1}}',
    `${'['.repeat(20_000)}`, '{"type":"text","text":"\u001b]0;title\u0007\u001b[2J"}', '\u001b[31mred\u001b[0m \u0000\u0008', '{"type":"message_end","message":{"usage":{"input":-5}}}']
  return Buffer.concat([Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]), Buffer.from(`${lines.join('\n')}\n{"cut off`), Buffer.from([0xe2, 0x82])])
}
