// Faults on the way: what is sent breaks off, never ends, comes twice, or is something else altogether.
import type { Piece, Sending } from './sending.js'
import type { ModelTurn } from './types.js'

/** What a fault may use: the turn's figures, and an error as this protocol tells it within an answer. */
export type WireMeans = { turn: ModelTurn; errorText: string }

const DRIP_PAUSE_SECONDS = 0.05
const ENDLESS_PAUSE_SECONDS = 0.02
const NOISE = ['\u0000\u0007 not an event\n', ':::\n\n', 'data\n\n', '}{\n\n']
const HUGE_BYTES = 4 * 1024 * 1024

/** What of an answer has come when half of it has; the last piece of it is in the middle of something. */
function firstHalf({ pieces }: Sending): Piece[] {
  const open = pieces.filter(({ terminal }) => !terminal)
  return open.slice(0, Math.ceil(open.length / 2))
}

function piece(text: string): Piece {
  return { text, terminal: false }
}

/** What replaces an answer, or a part of it, so that the client is never told what it used. */
function instead(sending: Sending, pieces: readonly Piece[], ending: Sending['ending'] = 'end'): Sending {
  return { ...sending, pieces, ending, tells: null }
}

export const hang = (sending: Sending): Sending => ({ ...instead(sending, [], 'hang'), status: null })
export const reset = (sending: Sending): Sending => ({ ...instead(sending, [], 'destroy'), status: null })
export const refuse = (sending: Sending): Sending => ({ ...instead(sending, [], 'refuse'), status: null })
export const hangMidway = (sending: Sending): Sending => instead(sending, firstHalf(sending), 'hang')
export const cut = (sending: Sending): Sending => instead(sending, firstHalf(sending), 'destroy')
export const emptyBody = (sending: Sending): Sending => instead(sending, [])
export const garbage = (sending: Sending): Sending => instead(sending, NOISE.map(piece))
export const noTerminal = (sending: Sending): Sending => instead(sending, sending.pieces.filter(({ terminal }) => !terminal))

export function endless(sending: Sending, { turn }: WireMeans): Sending {
  return { ...instead(sending, firstHalf(sending), 'endless'), pauseSeconds: turn.pauseSeconds ?? ENDLESS_PAUSE_SECONDS }
}

export function slowDrip(sending: Sending, { turn }: WireMeans): Sending {
  const pieces = sending.pieces.flatMap(({ text, terminal }) => (text.match(/[^]{1,8}/gu) ?? []).map((part) => ({ text: part, terminal })))
  return { ...sending, pieces, pauseSeconds: turn.pauseSeconds ?? DRIP_PAUSE_SECONDS }
}

export function wrongContentType(sending: Sending): Sending {
  const page = piece('<!doctype html><title>Sign in</title><p>Sign in to go on.</p>\n')
  return { ...instead(sending, [page]), headers: { 'content-type': 'text/html; charset=utf-8' } }
}

export function invalidJson(sending: Sending): Sending {
  if (sending.form !== 'events') return instead(sending, [piece('{"id": "scripted", "nonsense": [}')])
  const [half, broken] = [firstHalf(sending), piece('data: {"id": "scripted", "nonsense": [}\n\n')]
  return instead(sending, [...half, broken, ...sending.pieces.slice(half.length)])
}

export function truncatedJson(sending: Sending): Sending {
  const half = firstHalf(sending)
  const next = sending.pieces[half.length]?.text ?? ''
  return instead(sending, [...half, piece(sending.form === 'none' ? '' : next.slice(0, Math.ceil(next.length / 2)))])
}

/** Whoever adds up what each of them says counts the same tokens twice. */
export function duplicateTerminal(sending: Sending): Sending {
  return { ...sending, pieces: [...sending.pieces, ...sending.pieces.filter(({ terminal }) => terminal)] }
}

/** Spaces inside the JSON: the answer is the same, and one line of it is very long. */
export function hugeLine(sending: Sending, { turn }: WireMeans): Sending {
  const at = sending.form === 'none' ? 0 : Math.max(0, firstHalf(sending).length - 1)
  const padding = ' '.repeat(turn.sizeBytes ?? HUGE_BYTES)
  const pieces = sending.pieces.map((one, n) => (n === at ? { ...one, text: one.text.replace('{', () => `{${padding}`) } : one))
  return { ...sending, pieces }
}

export function errorMidway(sending: Sending, { errorText }: WireMeans): Sending {
  return instead(sending, sending.form === 'events' ? [...firstHalf(sending), piece(errorText)] : [piece(errorText)])
}
