// Tests of the guard where there is nothing to guard; what it does for a terminal is tested in one.
import { closeSync, openSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startTerminalGuard } from './terminal-guard.js'

test('Where there is no terminal there is no guard, and nobody waits for it.', async () => {
  const fd = openSync('/dev/null', 'r+')
  onTestFinished(() => closeSync(fd))
  expect(await startTerminalGuard({ output: fd, input: fd }, '')).toBeNull()
})
