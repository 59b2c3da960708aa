// Proves with real processes that one can be talked with, told before it is ended, and held up.
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runProcess } from './run.js'
import type { Limit, Pipe, ProcessRequest, ProcessResult } from './types.js'

const limits = { wallSeconds: 50, silenceSeconds: 50, outputBytes: 1_000_000 }

function shell(script: string, more: Partial<ProcessRequest>): Promise<ProcessResult> {
  return runProcess({ argv: ['/bin/sh', '-c', script], cwd: tmpdir(), limits, ...more })
}

describe('a process that is talked with', () => {
  it('is answered as it speaks, and ends at the end of its input.', async () => {
    let pipe: Pipe | null = null
    const heard: string[] = []
    const result = await shell('while read -r line; do echo "got $line"; done; exit 4', {
      onPipe(opened) {
        pipe = opened
        void opened.write('one\n')
      },
      onText(text) {
        heard.push(text)
        if (heard.length < 3) void pipe?.write(`${heard.length}\n`)
        else pipe?.end()
      },
    })
    expect(heard).toEqual(['got one\n', 'got 1\n', 'got 2\n'])
    expect(result).toMatchObject({ ending: 'exited', exitCode: 4 })
  })

  it('that stays after the end of its input is ended after a grace, with all it has started.', async () => {
    const result = await shell('sleep 100 & trap "" TERM; cat; sleep 100', { onPipe: (pipe) => pipe.end() })
    expect(result).toMatchObject({ ending: 'signalled', signal: 'SIGKILL' })
    expect(result.leftovers).toBeGreaterThan(0)
  })

  it('can be written to after it has gone.', async () => {
    let pipe: Pipe | null = null
    await shell('exec 0<&-; echo on', { onPipe: (opened) => (pipe = opened) })
    const gone = pipe as Pipe | null
    expect(await gone?.write('x'.repeat(1_000_000))).toBe(false)
    gone?.end()
    expect(await gone?.write('more')).toBe(false)
  })

  it('is told of a limit before it is ended, and may end by itself.', async () => {
    let pipe: Pipe | null = null
    const met: Limit[] = []
    const result = await shell('read -r word; echo "$word"; exit 7', {
      limits: { ...limits, wallSeconds: 0.5 },
      onPipe: (opened) => (pipe = opened),
      async onLimit(limit) {
        met.push(limit)
        await pipe?.write('bye\n')
        await new Promise(() => {})
      },
    })
    expect(met).toEqual(['timeout'])
    expect(result).toMatchObject({ ending: 'timeout', exitCode: 7, stdout: { text: 'bye\n' } })
  })

  it('that does not mind being told is ended when the telling is over, however that goes.', async () => {
    const stop = AbortSignal.timeout(300)
    const result = await shell('sleep 100', { onPipe: () => {}, onLimit: () => Promise.reject(new Error('no')), signal: stop })
    expect(result).toMatchObject({ ending: 'aborted', signal: 'SIGTERM' })
  })

  it('is not silent while something else shows that it works.', async () => {
    let timer: NodeJS.Timeout | undefined
    const result = await shell('sleep 1.5', { limits: { ...limits, silenceSeconds: 1 }, onPipe: (pipe) => (timer = setInterval(pipe.touch, 100)) })
    clearInterval(timer)
    expect(result.ending).toBe('exited')
  })

  it('cannot go on writing while it is held up.', async () => {
    let [bytes, atHold] = [0, -1]
    let pipe: Pipe | null = null
    const result = await shell('head -c 3000000 /dev/zero; echo end', {
      onPipe: (opened) => (pipe = opened),
      onOutput(more) {
        bytes += more
        if (atHold >= 0) return
        pipe?.hold()
        setTimeout(() => {
          atHold = bytes
          pipe?.goOn()
        }, 300)
      },
    })
    expect(atHold).toBeGreaterThan(0)
    expect(atHold).toBeLessThan(1_000_000)
    expect(result.stdout.bytes).toBe(3_000_004)
  })

  it('has its standard error heard as text, too.', async () => {
    let said = ''
    await shell('printf ä >&2; sleep 0.1; printf ö >&2', { onErrorText: (text) => (said += text) })
    expect(said).toBe('äö')
  })
})
