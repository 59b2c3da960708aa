// One ask of a model: attempts in turn, what they cost, and the answer they come to.
import type { Price } from '../../../agent-entry.js'
import type { Answer, AskRequest, Usage } from '../../../ports.js'
import { grouped } from '../../../text/amounts.js'
import { lineOf } from '../../../text/reply/values.js'
import { countTokens } from '../../../text/prompt/tokens.js'
import { redactorWith } from '../../../process/secrets.js'
import { discreetly, withoutSecrets } from '../discreet.js'
import { addUsage, NO_USAGE, spendOf, withPrice } from '../usage.js'
import { attempt, type Attempt } from './attempt.js'
import type { Heard } from './listen.js'
import { openRecord, type ExchangeRecord } from './record.js'
import { bodyFor, endpoint, headersFor, mostOutput, nameOfModel, tooLong, type Server } from './request.js'
import { modelFor } from './settings.js'
import { inTurn, type Last, type Wait } from './turns.js'

const MOST_NOTE_CHARS = 240
const MOST_NAME_CHARS = 100

/** Must not throw. The key is in the headers and nowhere else, whatever the server repeats. */
export async function askModel(server: Server, request: AskRequest, signal: AbortSignal, wait: Wait | undefined): Promise<Answer> {
  const redact = redactorWith([server.key()])
  const record = openRecord(request, redact)
  return withoutSecrets(await ask(server, discreetly(request, redact), record, signal, wait), redact)
}

async function ask(server: Server, request: AskRequest, record: ExchangeRecord, signal: AbortSignal, wait: Wait | undefined): Promise<Answer> {
  const input = countTokens(request.prompt)
  const bill = openBill(input, server.price)
  const model = modelFor(server.entry, request.effect.answers)
  const trouble = tooLong(server.price, request, input, model.contextTokens)
  if (trouble !== null) return answerOf({ kind: 'failed', heard: null, note: trouble }, bill, record)
  const name = model.model ?? (await nameOfModel(server, request, signal))
  const settings = { ...model, ...(name !== null && { model: name }) }
  let most: number | null = null
  const once = async (wallSeconds: number): Promise<Attempt> => {
    // Every attempt sends the whole prompt once more.
    const left = leftAfter(request.left, bill.total().spent)
    if (tooLong(server.price, { left }, input) !== null) return { kind: 'unpaid', heard: null, note: 'no budget is left for another attempt' }
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
  const notes = [last.note, usage?.estimated ? `the server told ${bill.isTold() ? 'hardly any' : 'no'} usage: tokens are estimated` : '', trouble].filter((note) => note !== '')
  const note = lineOf(record.redact(notes.join('; ')), MOST_NOTE_CHARS)
  const base: Answer = { ending: 'failed', note, text: '', files: record.files, spent, ...(usage && { usage }) }
  switch (last.kind) {
    case 'answered':
      return { ...base, ending: 'done', text: last.heard?.text ?? '' }
    case 'cut':
      return { ...base, cut: true }
    case 'limit':
      return { ...base, ending: last.limit }
    case 'unavailable':
      return { ...base, ending: 'unavailable', ...(last.until !== undefined && { until: last.until }), ...(last.closed && { closed: true }) }
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
  /** Whether the server has told of any usage, however little. */
  isTold(): boolean
}

/** Every attempt that was answered at all is paid for. */
function openBill(input: number, price: Price | undefined): Bill {
  const began = performance.now()
  const spentBy = (usage: Usage): Answer['spent'] => spendOf(usage, (performance.now() - began) / 1000)
  let usage: Usage | null = null
  let estimated = false
  let isTold = false
  const plus = (heard: Heard): Usage => withPrice(addUsage({ ...(usage ?? NO_USAGE), usd: null }, usageOf(heard, input)), price)
  return {
    with: (heard) => spentBy(plus(heard)),
    add(heard) {
      usage = plus(heard)
      estimated ||= isEstimate(heard, input)
      isTold ||= heard.usage !== null
    },
    isTold: () => isTold,
    total: () => ({ spent: spentBy(usage ?? NO_USAGE), ...(usage && { usage: { ...usage, ...(estimated && { estimated: true as const }) } }) }),
  }
}

/** Nobody's tokens are so much longer than four characters: who tells less than a tenth of the estimate does not count. */
const LEAST_PLAUSIBLE = 0.1

function estimateOf({ text, reasoningChars }: Heard, input: number): Pick<Usage, 'input' | 'output'> {
  return { input, output: countTokens(text) + Math.ceil(reasoningChars / 4) }
}

function isEstimate(heard: Heard, input: number): boolean {
  const least = estimateOf(heard, input)
  return heard.usage === null || heard.usage.input < least.input * LEAST_PLAUSIBLE || heard.usage.output < least.output * LEAST_PLAUSIBLE
}

/** The server's own figures where it tells any that can be true, else the least it can have been. */
function usageOf(heard: Heard, input: number): Usage {
  const model = heard.model === null ? null : lineOf(heard.model, MOST_NAME_CHARS)
  const least = estimateOf(heard, input)
  if (heard.usage === null) return { ...NO_USAGE, ...least, model }
  const { input: told, cachedInput, output } = heard.usage
  return {
    ...NO_USAGE,
    ...(told < least.input * LEAST_PLAUSIBLE ? { input } : { input: told - cachedInput, cachedInput }),
    output: output < least.output * LEAST_PLAUSIBLE ? least.output : output,
    model,
  }
}
