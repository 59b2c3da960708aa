// What is told outside, one thing after the other for each receiver, beside the loop: nothing here holds it up, and no failure decides anything.

/** Null when it went well, else one line that says what went wrong. Must not throw. */
type Delivery = (signal: AbortSignal) => Promise<string | null>

export type Deliveries = {
  add(receiver: string, delivery: Delivery): void
  /** Waits until all is told. When `stop` comes, or came before, what is left has only a few seconds more. */
  settle(stop: AbortSignal): Promise<void>
}

type Lane = { last: Promise<void>; waiting: number; isFailing: boolean; isFull: boolean }

/** Of one receiver: what happens while so many are waiting is not told any more. */
const MOST_WAITING = 50
const LAST_SECONDS = 5

export function openDeliveries(say: (text: string) => void): Deliveries {
  const lanes = new Map<string, Lane>()
  const giveUp = new AbortController()
  const hand = async (receiver: string, lane: Lane, delivery: Delivery): Promise<void> => {
    const fault = giveUp.signal.aborted ? 'there was no time left' : await delivery(giveUp.signal)
    lane.waiting -= 1
    if (fault !== null && !lane.isFailing) say(`warning: ${receiver}: ${fault}`)
    lane.isFailing = fault !== null
    if (lane.waiting === 0) lane.isFull = false
  }
  return {
    add(receiver, delivery) {
      const lane = lanes.get(receiver) ?? { last: Promise.resolve(), waiting: 0, isFailing: false, isFull: false }
      lanes.set(receiver, lane)
      if (lane.waiting >= MOST_WAITING) {
        if (!lane.isFull) say(`warning: ${receiver}: too slow, so that some of what happens is not told to it`)
        lane.isFull = true
        return
      }
      lane.waiting += 1
      lane.last = lane.last.then(() => hand(receiver, lane, delivery))
    },
    async settle(stop) {
      const all = Promise.all([...lanes.values()].map(({ last }) => last))
      let timer: NodeJS.Timeout | undefined
      const hurry = (): void => void (timer ??= setTimeout(() => giveUp.abort(), LAST_SECONDS * 1000))
      stop.addEventListener('abort', hurry)
      if (stop.aborted) hurry()
      await all
      stop.removeEventListener('abort', hurry)
      clearTimeout(timer)
    },
  }
}
