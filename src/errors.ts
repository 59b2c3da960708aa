// The one error that is meant for people: what is wrong, the exit code, and the next command to type.

/** Exit codes by what they stand for; they never change. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  stalled: 3,
  exhausted: 4,
  gate: 5,
  guard: 6,
  agent: 7,
  waiting: 8,
  locked: 9,
  state: 10,
  cancelled: 11,
} as const

/** Thrown for a bad file or flag of the user's, or for state that cannot be trusted; never for a failure of agent or gate. */
export class Refusal extends Error {
  readonly code: number
  readonly next: string

  constructor(code: number, message: string, next: string) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.next = next
  }
}

/** No room to write: the one trouble with a disk that can be waited out, and gone on without by whoever asked for that. */
export class FullDisk extends Refusal {}
