// The fleet for a dashboard: looked at while somebody has the page open, and told in a line where its queue cannot be reached.
import { Refusal } from '../../errors.js'
import { pause } from '../../fleet/attempt.js'
import { connect, shownAddress, SILENCE_MILLISECONDS, within } from '../../fleet/connection.js'
import { glancer, type Glance } from '../../fleet/look.js'
import { loadPeers } from '../../fleet/peers.js'
import { rungOf, sharesOf, type Row } from '../../fleet/rows.js'
import type { Fleet, FleetLine } from '../../web/data.js'
import { systemClock } from '../clock.js'

const LOOK_MILLISECONDS = 1000
const AGAIN_MILLISECONDS = 5000
const PATIENCE_SECONDS = 3
const TASK_CHARS = 200

export type FleetBoard = {
  /** Null before the first look. The same object until something has changed. */
  now(): Fleet | null
  onChange(hear: () => void): () => void
}

/** Nothing is loaded and nobody is connected to before somebody listens. */
export function openFleetBoard(address: string): FleetBoard {
  const listeners = new Set<() => void>()
  let shown: Fleet | null = null
  let stop: (() => void) | null = null
  const tell = (news: Partial<Fleet>): void => {
    const fleet = { ...NOTHING, ...shown, ...news }
    if (JSON.stringify(fleet) === JSON.stringify(shown)) return
    shown = fleet
    for (const hear of listeners) hear()
  }
  return {
    now: () => shown,
    onChange(hear) {
      listeners.add(hear)
      stop ??= follow(address, tell)
      return () => {
        listeners.delete(hear)
        if (listeners.size > 0) return
        stop?.()
        stop = null
      }
    },
  }
}

const NOTHING: Fleet = { problem: null, counts: {}, lines: [], money: [] }

type Tell = (news: Partial<Fleet>) => void

function follow(address: string, tell: Tell): () => void {
  const over = new AbortController()
  const go = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await lookOn(address, tell, over.signal).catch((error: unknown) => void (over.signal.aborted || tell({ problem: problemOf(error) })))
      await pause(AGAIN_MILLISECONDS, over.signal)
    }
  }
  void go()
  return () => over.abort()
}

/** Until nobody listens; rejects when the server cannot be used. */
async function lookOn(address: string, tell: Tell, signal: AbortSignal): Promise<void> {
  const peers = await loadPeers()
  const server = await connect(peers, { address, patienceSeconds: PATIENCE_SECONDS, now: systemClock.now, signal })
  const glance = glancer(peers, server.redis)
  const look = async (): Promise<void> => {
    for (; !signal.aborted; await pause(LOOK_MILLISECONDS, signal)) tell({ problem: null, ...shownOf(await within(glance(), SILENCE_MILLISECONDS, signal)) })
  }
  try {
    await Promise.race([server.lost, look()])
  } finally {
    server.close()
  }
}

function problemOf(error: unknown): string {
  const text = error instanceof Refusal ? `${error.message}; next: ${error.next}` : error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? ''
}

function shownOf({ counts, rows, money }: Glance): Omit<Fleet, 'problem'> {
  const bounds = money.map(({ batch, usd, left }) => `batch ${batch}: ${(usd - left).toFixed(2)} of ${usd.toFixed(2)} USD`)
  return { counts, lines: rows.map(lineOf), money: bounds }
}

function lineOf(row: Row): FleetLine {
  return {
    session: row.session,
    state: row.state,
    worker: row.worker,
    iteration: row.iteration,
    rung: rungOf(row),
    failing: row.failing,
    seconds: row.spent.seconds,
    usd: row.spent.usd,
    budget: sharesOf(row).map(({ text }) => text).join(' · '),
    task: (row.why ?? row.task).slice(0, TASK_CHARS),
    next: row.next,
    repository: shownAddress(row.repository),
  }
}
