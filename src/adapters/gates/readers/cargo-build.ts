// What the compiler and cargo say outside of test targets: each error becomes trouble.
import type { Collector } from './collect.js'
import type { Names } from './names.js'
import { keptLines, type KeptLines } from './tail.js'

export type Build = { take(line: string): void; end(): void; failed(): boolean }

const ERROR = /^error(?:\[(\w+)\])?: (.*)$/
const PLACE = /^ *--> (.+?):\d+:\d+$/
const MOST_BLOCK_LINES = 60

type Block = { code: string; message: string; file: string | null; lines: KeptLines }

export function createBuild(names: Names, collector: Collector): Build {
  let block: Block | null = null
  let found = 0
  let summaries: string[] = []
  const close = (): void => {
    if (block === null) return
    const { code, message, file, lines } = block
    block = null
    found += 1
    collector.trouble(file ?? 'cargo', { kind: 'collection', type: code, message, stack: lines.lines().join('\n') })
  }
  return {
    take(line) {
      const first = line.charCodeAt(0)
      const error = first === 0x65 ? ERROR.exec(line) : null
      if (error !== null) {
        close()
        if (isSummary(error[2] ?? '')) summaries.push(error[2] ?? '')
        else block = { code: error[1] ?? '', message: error[2] ?? '', file: null, lines: keptLines(MOST_BLOCK_LINES) }
      } else if (block !== null && (line === '' || first === 0x77)) close() // an empty line or a warning
      if (block === null) return
      block.lines.add(line)
      const place = block.file === null ? PLACE.exec(line)?.[1] : undefined
      if (place !== undefined) block.file = names.file(place)
    },
    end() {
      close()
      // Every error was shown before its summary, unless the compiler itself died.
      if (found === 0) for (const message of summaries) collector.trouble('cargo', { kind: 'collection', type: '', message, stack: '' })
      found += summaries.length
      summaries = []
    },
    failed: () => found > 0,
  }
}

function isSummary(message: string): boolean {
  return /^(?:could not compile|aborting due to|build failed)/.test(message)
}
