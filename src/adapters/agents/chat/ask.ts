// One ask of a model: attempts in turn, what they cost, and the answer they come to.
import type { Price } from '../../../agent-entry.js'
import type { Answer, AskRequest, Usage } from '../../../ports.js'
import { grouped } from '../../../text/amounts.js'
import { lineOf } from '../../../text/reply-values.js'
import { countTokens } from '../../../text/tokens.js'
import { addUsage, NO_USAGE, spendOf, withPrice } from '../usage.js'
import { attempt, type Attempt } from './attempt.js'
import type { Heard } from './listen.js'
import { openRecord, type ExchangeRecord } from './record.js'
import { bodyFor, endpoint, headersFor, mostOutput, nameOfModel, tooLong, type Server } from './request.js'
import { modelFor } from './settings.js'
import { inTurn, type Last, type Wait } from './turns.js'

const MOST_NOTE_CHARS = 240
const MOST_NAME_CHARS = 100

/** Must not throw. The key is in the headers and nowhere else. */
export async function askModel(server: Server, request: AskRequest, signal: AbortSignal, wait: Wait | undefined): Promise<Answer> {
  const input = countTokens(request.prompt)
  const bill = openBill(input, server.price)
  const record = openRecord(request, server.key())
  const model = modelFor(server.entry, request.effect.answers)
  const trouble = tooLong(request, input, model.contextTokens)
  if (trouble !== null) return answerOf({ kind: 'failed', heard: null, note: trouble }, bill, record)
  const name = model.model ?? (await nameOfModel(server, request, signal))
  const settings = { ...model, ...(name !== null && { model: name }) }
  let most: number | null = null
  const once = async (wallSeconds: number): Promise<Attempt> => {
    // Every attempt sends the whole prompt once more.
    const left = leftAfter(request.left, bill.total().spent)
    if (tooLong({ left }, input) !== null) return { kind: 'closed', heard: null, note: 'no budget is left for another attempt' }
    most = mostOutput(server.price, { left }, input, model.outputTokens)
    const made = await attempt({
      method: 'POST',
      url: endpoint(server.address, 'chat/completions'),
      headers: headersFor(server.key()),
      body: bodyFor(server.entry, settings, request.prompt, most),
      limits: { ...request.limits, wallSeconds },
      isEnough: (heard) => request.left.tokens !== null && bill.with(heard).tokens >= request.left.tokens,
      onStatus: record.status,
      onText(text, bytes, heard) {
        record.text(text)
        if (bytes > 0) request.onActivity({ kind: 'output', bytes })
        if (heard) request.onActivity({ kind: 'spent', spent: bill.with(heard) })
      },
    }, signal)
    if (made.heard) {
      bill.add(made.heard)
      record.answer(made.heard.text)
    }
    return made
  }
  const last = await inTurn(once, request, signal, wait)
  return answerOf(last.kind === 'cut' ? { ...last, note: cutNote(last.note, most) } : last, bill, record)
}

function leftAfter({ tokens, usd }: AskRequest['left'], spent: Answer['spent']): AskRequest['left'] {
  return { tokens: tokens === null ? null : tokens - spent.tokens, usd: usd === null ? null : usd - spent.usd }
}

function cutNote(note: string, most: number | null): string {
  return most === null ? note : `${note} (${grouped(most)}): write less, and change files by parts`
}

function answerOf(last: Last, bill: Bill, record: ExchangeRecord): Answer {
  const { usage, spent } = bill.total()
  const trouble = record.close()
  const notes = [last.note, usage?.estimated ? 'the server told no usage: tokens are estimated' : '', trouble].filter((note) => note !== '')
  const note = lineOf(record.scrubbed(notes.join('; ')), MOST_NOTE_CHARS)
  const base: Answer = { ending: 'failed', note, text: '', files: record.files, spent, ...(usage && { usage }) }
  switch (last.kind) {
    case 'answered':
      return { ...base, ending: 'done', text: record.scrubbed(last.heard?.text ?? '') }
    case 'cut':
      return { ...base, cut: true }
    case 'limit':
      return { ...base, ending: last.limit }
    case 'unavailable':
      return { ...base, ending: 'unavailable', ...(last.until !== undefined && { until: last.until }) }
    case 'failed':
      return base
  }
}

// ───────────────────────────── what it costs ─────────────────────────────

type Bill = {
  /** What has been spent with this attempt, while it is under way. */
  with(heard: Heard): Answer['spent']
  add(heard: Heard): void
  total(): Pick<Answer, 'usage' | 'spent'>
}

/** Every attempt that was answered at all is paid for. */
function openBill(input: number, price: Price | undefined): Bill {
  const began = performance.now()
  const spentBy = (usage: Usage): Answer['spent'] => spendOf(usage, (performance.now() - began) / 1000)
  let usage: Usage | null = null
  let estimated = false
  const plus = (heard: Heard): Usage => withPrice(addUsage({ ...(usage ?? NO_USAGE), usd: null }, usageOf(heard, input)), price)
  return {
    with: (heard) => spentBy(plus(heard)),
    add(heard) {
      usage = plus(heard)
      estimated ||= heard.usage === null
    },
    total: () => ({ spent: spentBy(usage ?? NO_USAGE), ...(usage && { usage: { ...usage, ...(estimated && { estimated: true as const }) } }) }),
  }
}

/** The server's own figures where it tells them, else the least it can have been. */
function usageOf({ usage, text, reasoningChars, model: name }: Heard, input: number): Usage {
  const model = name === null ? null : lineOf(name, MOST_NAME_CHARS)
  if (usage === null) return { ...NO_USAGE, input, output: countTokens(text) + Math.ceil(reasoningChars / 4), model }
  return { ...NO_USAGE, input: usage.input - usage.cachedInput, cachedInput: usage.cachedInput, output: usage.output, model }
}
