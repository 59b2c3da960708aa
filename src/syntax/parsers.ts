// Several parsing threads side by side, begun only when there is work for them.
import { availableParallelism } from 'node:os'
import type { Assets } from './assets.js'
import { createParser, type Parser } from './parser.js'

export type Parsers = Pick<Parser, 'parse' | 'close'> & {
  /** With this many sources waiting, every thread has enough to do. */
  mostWaiting: number
}

const MOST_THREADS = 4
const WAITING_PER_THREAD = 4

export function createParsers(assets: Assets): Parsers {
  const most = Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))
  const parsers: Parser[] = []
  return {
    mostWaiting: most * WAITING_PER_THREAD,
    parse: (language, text) => leastBusy(parsers, most, assets).parse(language, text),
    close: async () => {
      await Promise.all(parsers.map((parser) => parser.close()))
    },
  }
}

function leastBusy(parsers: Parser[], most: number, assets: Assets): Parser {
  const [first, ...others] = parsers
  const least = first && others.reduce((best, parser) => (parser.waiting() < best.waiting() ? parser : best), first)
  if (least && (parsers.length >= most || least.waiting() < WAITING_PER_THREAD)) return least
  const parser = createParser(assets)
  parsers.push(parser)
  return parser
}
