// Listens to the records of a command line while it is at work: what it says, does, uses, and that its model does not serve it.
import type { Price } from '../../../agent-entry.js'
import type { AskRequest, Usage } from '../../../ports.js'
import { rawLineFeed } from '../../../text/line-feed.js'
import type { Redact } from '../../../text/redact.js'
import { sanitise } from '../../../text/sanitise.js'
import { addUsage, mostOf, NO_USAGE, spendOf, withPrice } from '../usage.js'
import type { Dialect, ReadRecord, Told } from './types.js'

type Ended = Extract<Told, { kind: 'ended' }>

/** `retry` is what it could not do when it was heard last; `gaveUp` says that we have ended it, since nobody serves it. */
export type Heard = { text: string; saidChars: number; worked: boolean; usage: Usage | null; ended: Ended | null; retry: string; gaveUp: boolean }

export type Listener = {
  hear: (text: string) => void
  hearError?: (text: string) => void
  /** Aborted when it has done nothing but try again for as long as it may be silent, or need not try again. */
  unserved: AbortSignal
  end: () => Heard
}

/** Records may be long: a whole file is one line of JSON. */
const LONGEST_RECORD_CHARS = 8 * 1024 * 1024
const MOST_NOTE_CHARS = 200

export function listen(request: AskRequest, { newReader, readComplaint, listPrice }: Dialect, price: Price | undefined, redact: Redact): Listener {
  const began = performance.now()
  const heard: Heard = { text: '', saidChars: 0, worked: false, usage: null, ended: null, retry: '', gaveUp: false }
  const bill = openBill(price, listPrice)
  const unserved = new AbortController()
  let patience: NodeJS.Timeout | undefined
  const giveUp = (): void => {
    heard.gaveUp = true
    unserved.abort()
  }
  const take = (told: Told): void => {
    hearIn(heard, told)
    if (told.kind === 'retry') patience ??= setTimeout(giveUp, request.limits.silenceSeconds * 1000)
    else if (heard.retry === '') {
      clearTimeout(patience)
      patience = undefined
    }
    if (told.kind === 'ended' && told.how === 'unavailable' && told.atOnce) giveUp()
    if (told.kind === 'used' || told.kind === 'total') {
      heard.usage = bill.add(told)
      request.onActivity({ kind: 'spent', spent: spendOf(heard.usage, (performance.now() - began) / 1000) })
    }
    if (told.kind === 'retry' || told.kind === 'doing') request.onActivity({ kind: told.kind, note: oneLine(told.note) })
  }
  const feedOf = (read: ReadRecord) => rawLineFeed((line) => read(redact(line)).forEach(take), LONGEST_RECORD_CHARS)
  const feed = feedOf(newReader())
  const errors = readComplaint && feedOf(readComplaint)
  return {
    hear: feed.push,
    ...(errors && { hearError: errors.push }),
    unserved: unserved.signal,
    end: () => {
      feed.end()
      errors?.end()
      clearTimeout(patience)
      return heard
    },
  }
}

/** Whatever shows that its model answers again makes an end of the retries. */
function hearIn(heard: Heard, told: Told): void {
  if (told.kind === 'retry') heard.retry = told.note
  else if (told.kind !== 'goes-on') heard.retry = ''
  if (told.kind === 'text') {
    // Some repeat what they have said so far, with more at its end.
    heard.saidChars += told.text.length - (told.text.startsWith(heard.text) ? heard.text.length : 0)
    heard.text = told.text
  }
  if (told.kind === 'text' || told.kind === 'doing') heard.worked = true
  if (told.kind === 'goes-on') heard.ended = null
  if (told.kind === 'ended') heard.ended = told
}

export function oneLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim().slice(0, MOST_NOTE_CHARS)
}

// ───────────────────────────── what it uses ─────────────────────────────

type Bill = { add(told: Extract<Told, { kind: 'used' | 'total' }>): Usage }

/**
 * What was told once is never taken back by a record that tells of less. The price is the agent's own word, where it has told a total;
 * before that, and for every step without one, it is that of the user's list, or else of the published one.
 */
function openBill(price: Price | undefined, listPrice: Dialect['listPrice']): Bill {
  const priced = (usage: Usage): Usage => withPrice(usage, price ?? listPrice?.(usage.model))
  let steps: Usage | null = null
  let total: Usage | null = null
  return {
    add({ kind, usage }) {
      if (kind === 'used') steps = addUsage(steps ?? NO_USAGE, priced(usage))
      else total = mostOf(total ?? NO_USAGE, usage)
      if (total === null) return steps ?? NO_USAGE
      return priced({ ...mostOf(steps ?? NO_USAGE, total), usd: total.usd })
    },
  }
}
