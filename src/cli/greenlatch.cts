#!/usr/bin/env node
// The way in, as CommonJS: Node starts it without its module loader, so that a question for the version costs what node costs.
declare const __GREENLATCH_VERSION__: string

const [word, ...more] = process.argv.slice(2)
if (more.length === 0 && (word === '--version' || word === '-V')) process.stdout.write(`${__GREENLATCH_VERSION__}\n`)
else void import('./main.js')
