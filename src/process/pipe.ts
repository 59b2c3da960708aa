// Standard input that stays open, for a process that is talked with: text goes in as it is taken, and its output can be held up.
import type { Child } from './start.js'
import type { Pipe } from './types.js'

/** `onEnd`: standard input has been ended from our side. `onTouch`: something showed life that is no output. */
export type PipeHooks = { onEnd: () => void; onTouch: () => void; onHold: (held: boolean) => void }

export function openPipe({ stdin, stdout }: Child, { onEnd, onTouch, onHold }: PipeHooks): Pipe {
  let isEnded = false
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (!stdin || isEnded) resolve(false)
        else stdin.write(text, (error) => resolve(!error))
      }),
    end() {
      if (isEnded) return
      isEnded = true
      stdin?.end()
      onEnd()
    },
    hold() {
      onHold(true)
      stdout.pause()
    },
    goOn() {
      onHold(false)
      stdout.resume()
    },
    touch: onTouch,
  }
}
