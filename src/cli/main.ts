#!/usr/bin/env node
// The way in. A question for the version is answered before anything is loaded.
declare const __GREENLATCH_VERSION__: string

const [first, ...others] = process.argv.slice(2)
if (others.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.write(`${__GREENLATCH_VERSION__}\n`)
} else {
  const { main } = await import('./program.js')
  process.exitCode = await main(process.argv, __GREENLATCH_VERSION__)
}
