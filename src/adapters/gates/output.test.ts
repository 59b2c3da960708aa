// Tests of what is read out of the output of a command.
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import type { ProcessResult } from '../../process/types.js'
import { failingLinesOf } from './output.js'

function printed(text: string): ProcessResult {
  const stream = { bytes: text.length, cut: false }
  return { ending: 'exited', exitCode: 1, signal: null, note: '', seconds: 0, leftovers: 0, stdout: { ...stream, text }, stderr: { ...stream, text: '' } }
}

describe('failing lines', () => {
  it('name files without the folder also where its real path ends in the one it is called by, as /private/var does.', async () => {
    const cwd = join(temporaryFolder(), 'work')
    const real = join(dirname(cwd), 'private', cwd)
    mkdirSync(real, { recursive: true })
    symlinkSync(real, cwd)
    const lines = await failingLinesOf({ result: printed(`${real}/src/a.ts:3:1: error: broken\n`), log: '', cwd })
    expect(lines.map(({ subject, message }) => `${subject} ${message}`).join('\n')).toContain('src/a.ts')
    expect(JSON.stringify(lines)).not.toContain('private')
  })
})
