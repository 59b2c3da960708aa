// How fast the text of processes is rid of secrets and of what steers terminals: prints MB/s, with the machine it ran on.
import { cpus } from 'node:os'
import { build } from 'esbuild'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const MEGABYTES = Number(process.argv[2] ?? 128)
const CHUNK = 64 * 1024

/** Lines as test runners print them: names, times, paths, colours here and there, and now and then a token. */
function output(bytes) {
  const lines = []
  for (let n = 0, length = 0; length < bytes; n++) {
    const line = n % 500 === 499
      ? `    Authorization: Bearer ${'q7Zp'.repeat(9)}${n}\n`
      : n % 7 === 0
        ? `\u001b[32m  ✓\u001b[39m src/adapters/workspace/checkout-${n % 97}.test.ts > keeps what the user had (${n % 900} ms)\n`
        : `    at Object.<anonymous> (/home/someone/project/src/module-${n % 311}/file.ts:${n % 400}:${n % 80}) expected ${n} to be ${n + 1}\n`
    lines.push(line)
    length += line.length
  }
  return Buffer.from(lines.join(''))
}

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-bench-'))
try {
  const outfile = join(folder, 'text.mjs')
  const contents = `export { redactedStream, redactor } from './src/text/redact.js'\nexport { createSanitiser } from './src/text/sanitise.js'\n`
  await build({ stdin: { contents, resolveDir: root, loader: 'ts' }, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' })
  const { redactedStream, createSanitiser } = await import(pathToFileURL(outfile).href)
  const secrets = Array.from({ length: 8 }, (_, n) => `value-${n}-${'abcdefgh'.repeat(3)}/${n}`)
  const bytes = output(MEGABYTES * 1024 * 1024)
  const measure = (what, work) => {
    let best = Infinity
    for (let round = 0; round < 3; round++) {
      // Time of the processor, so that a busy machine gives the same figures.
      const began = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(began)
      best = Math.min(best, (user + system) / 1000)
    }
    console.log(`${what.padEnd(26)} ${Math.round(bytes.length / 1e6 / (best / 1000))} MB for each second of the processor`)
  }
  const pieces = []
  for (let at = 0; at < bytes.length; at += CHUNK) pieces.push(bytes.subarray(at, at + CHUNK))
  console.log(`${Math.round(bytes.length / 1e6)} MB in pieces of 64 KiB, ${secrets.length} known secrets, best of 3; ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`)
  measure('redaction', () => {
    const stream = redactedStream(secrets)
    for (const piece of pieces) stream.push(piece)
    stream.end()
  })
  measure('sanitising', () => {
    const sanitiser = createSanitiser()
    for (const piece of pieces) sanitiser.push(piece.toString('utf8'))
    sanitiser.end()
  })
  measure('redaction and sanitising', () => {
    const [stream, sanitiser] = [redactedStream(secrets), createSanitiser()]
    for (const piece of pieces) sanitiser.push(stream.push(piece).toString('utf8'))
    sanitiser.push(stream.end().toString('utf8'))
    sanitiser.end()
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
