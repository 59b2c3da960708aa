// Tests of the deciding gate with real commands.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GateOutcome, GateRequest } from '../../ports.js'
import type { CommandGateOptions } from './command.js'
import { decisionGate } from './decision.js'
import { noSandbox } from '../sandbox/none.js'

let folder = ''
let checkout = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-decision-'))
  checkout = mkdtempSync(join(tmpdir(), 'greenlatch-decision-checkout-'))
})
afterEach(() => [folder, checkout].forEach((path) => rmSync(path, { recursive: true, force: true })))

function requestFor(rest: Partial<GateRequest> = {}): GateRequest {
  return {
    session: 's1',
    effect: {
      kind: 'check', id: '4.check', phase: 'check', iteration: 2, plan: 0, tree: 't', pins: 'start', base: 'iteration-2/check', opensIteration: false,
      opensPlan: false, gates: ['review'], baseline: false, sealed: false, reruns: 0, confirm: 0,
    },
    cwd: checkout,
    base: join(folder, 'iteration-2', 'check'),
    limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 16 * 1024 * 1024 },
    only: null,
    tests: [],
    onActivity: () => {},
    ...rest,
  }
}

type Heard = Exclude<GateOutcome, 'aborted'>

async function decide(run: string, rest: Partial<CommandGateOptions> = {}): Promise<Heard> {
  const outcome = await decisionGate({ sandbox: noSandbox(), name: 'review', run, ...rest }).run(requestFor(), new AbortController().signal)
  if (outcome === 'aborted') throw new Error('aborted')
  return outcome
}

/** A command that writes this decision, with the code it was given unless told otherwise. */
function writes(decision: string, rest = '', id = '$GREENLATCH_CHECK_ID'): string {
  return `printf '{"decision":"${decision}","check_id":"%s"${rest}}' "${id}" > "$GREENLATCH_DECISION_FILE"`
}

describe('a deciding gate', () => {
  it('RB-01 passes when its file says complete under the code of this run, and names no tests by that', async () => {
    const { result, failures, ids, files } = await decide(writes('complete'))
    expect(result).toMatchObject({ gate: 'review', exit: 'pass', complete: true, known: false, note: 'complete by its file; exit 0' })
    expect([failures, ids]).toEqual([[], null])
    expect(files.at(-1)).toMatch(/iteration-2\/check\.review\.decision-[0-9a-f]{12}\/decision\.json$/)
    expect(existsSync(files.at(-1) ?? '')).toBe(true)
  })

  it('RB-01 has a code and a file for every run that no other run has, outside the checkout', async () => {
    const told = 'printf "%s %s" "$GREENLATCH_CHECK_ID" "$GREENLATCH_DECISION_FILE" > told; echo PASS'
    const runs: string[] = []
    for (let run = 0; run < 3; run += 1) {
      await decide(told)
      runs.push(readFileSync(join(checkout, 'told'), 'utf8'))
    }
    const words = runs.map((run) => run.split(' '))
    expect(new Set(words.map(([id]) => id)).size).toBe(3)
    expect(new Set(words.map(([, file]) => file)).size).toBe(3)
    for (const [id, file] of words) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
      expect(file?.startsWith(`${folder}/`)).toBe(true)
    }
  })

  it('RB-01 does not take the decision of an earlier run, wherever it was kept', async () => {
    await decide(`${writes('complete')}; cp "$GREENLATCH_DECISION_FILE" kept.json`)
    const { result, failures } = await decide('cp kept.json "$GREENLATCH_DECISION_FILE"; echo PASS')
    expect(result).toMatchObject({ exit: 'fail', complete: true })
    expect(result.note).toMatch(/undecidable \(the decision file is stale: its check_id is not that of this run\)/)
    expect(failures).toMatchObject([{ subject: 'review: undecidable' }])
  })

  it('RB-01 fails with the reasons and the fingerprints that its file gives', async () => {
    const { result, failures } = await decide(writes('incomplete', ',"reasons":["no tests","no docs"],"fingerprints":["tests","docs"]'))
    expect(result).toMatchObject({ exit: 'fail', known: false, note: 'incomplete by its file, 2 reasons; exit 0' })
    expect(failures).toMatchObject([
      { subject: 'review: tests', fingerprint: 'decision:review:tests', message: 'no tests' },
      { subject: 'review: docs', fingerprint: 'decision:review:docs', message: 'no docs' },
    ])
  })

  it('RB-02 reads the older words from the file, then from both streams of the output, and the last one wins', async () => {
    expect((await decide('echo FAIL; echo PASS > "$GREENLATCH_DECISION_FILE"')).result.exit).toBe('pass')
    const { result } = await decide('echo PASS; echo INCOMPLETE >&2')
    expect(result).toMatchObject({ exit: 'fail', note: 'incomplete by its output; exit 0' })
    expect((await decide('echo FAIL; echo thinking; echo COMPLETE')).result.exit).toBe('pass')
  })

  it('RB-02 finds the word at the end of a flood of output', async () => {
    expect((await decide('yes "still looking at it" | head -c 6000000; echo PASS')).result.exit).toBe('pass')
  })

  it('RB-02 fails in its own way, and each time in the same, when nothing can be read from it', async () => {
    const first = await decide('echo "I think it is fine ($$)"')
    const second = await decide('head -c 300 /dev/urandom; exit 3')
    expect(first.result).toMatchObject({ exit: 'fail', complete: true, known: false })
    expect(first.failures).toMatchObject([{ subject: 'review: undecidable', class: 'behaviour' }])
    expect(second.failures.map(({ fingerprint }) => fingerprint)).toEqual(first.failures.map(({ fingerprint }) => fingerprint))
  })

  it('names a command that says complete and fails', async () => {
    const { result, failures } = await decide(`${writes('complete')}; exit 3`)
    expect(result.exit).toBe('fail')
    expect(failures).toMatchObject([{ subject: 'review: contradiction', message: 'it decided "complete", and ended with exit 3' }])
  })

  it('tells what was printed when a decision has no reasons', async () => {
    const { failures } = await decide('echo "src/a.c:3:1: error: no such name"; echo FAIL; exit 1')
    expect(failures).toMatchObject([{ subject: 'review: incomplete', message: expect.stringContaining('no such name') as string }])
  })

  it('does not follow a link, wait for a pipe or take a folder in place of its file', async () => {
    writeFileSync(join(checkout, 'PASS'), 'PASS\n')
    for (const trick of ['ln -s "$PWD/PASS"', 'mkfifo', 'mkdir']) {
      const { result } = await decide(`${trick} "$GREENLATCH_DECISION_FILE"`)
      expect(result).toMatchObject({ exit: 'fail', note: expect.stringContaining('no decision file was written') as string })
    }
  })

  it('decides nothing when it is cut off or cannot be started, and says nothing of a passing word before that', async () => {
    expect((await decide('echo PASS; sleep 30', { timeoutSeconds: 1 })).result).toMatchObject({ exit: 'timeout', known: false })
    expect((await decide('no-such-program-here')).result.exit).toBe('error')
    expect(await decisionGate({ sandbox: noSandbox(), name: 'review', run: 'sleep 30' }).run(requestFor(), AbortSignal.abort())).toBe('aborted')
  })

  it('keeps the environment and the folder of its entry', async () => {
    const { result } = await decide('test "$WORD" = COMPLETE && echo "$WORD"', { env: { WORD: 'COMPLETE' } })
    expect(result.exit).toBe('pass')
    expect(decisionGate({ sandbox: noSandbox(), name: 'review', run: ['./review', '--all'] }).describe).toBe('./review --all (decides by itself)')
  })
})
