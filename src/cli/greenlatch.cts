#!/usr/bin/env node
// The way in, as CommonJS: Node starts it without its module loader, so that a question for the version costs what node costs.
declare const __GREENLATCH_VERSION__: string

const [word, ...more] = process.argv.slice(2)
if (more.length === 0 && (word === '--version' || word === '-V')) tellVersion(word)
else void import('./main.js')

/** What `settleData` says of every other command. */
function tellVersion(typed: string): void {
  process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return
    const why = code === 'ENOSPC' ? 'no space is left where it goes' : message
    process.stderr.write(`greenlatch: what belongs on standard output could not be written: ${why}\n  next: greenlatch ${typed}\n`)
    process.exitCode = 10
  })
  process.stdout.write(`${__GREENLATCH_VERSION__}\n`)
}
