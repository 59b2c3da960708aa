// The terminal while a screen is on it: keys, size, and the promise that it is as before afterwards, however that comes.
import type { ReadStream, WriteStream } from 'node:tty'
import { startTerminalGuard, type TerminalGuard } from '../../process/terminal-guard.js'
import type { Size } from '../../text/screen/screen.js'

/** The other screen of the terminal: what stood there stays, and no torn piece of ours is left in what can be scrolled back to. */
const ENTER = '\u001B[?1049h\u001B[?25l\u001B[H\u001B[2J'
const LEAVE = '\u001B[0m\u001B[?7h\u001B[?25h\u001B[?1049l'

/** Some terminals keep what the other screen had shown when its size was changed, so that it is empty when it is left. */
const EMPTY = '\u001B[H\u001B[2J'

const WAKING_MILLISECONDS = 100

export type Terminal = {
  size(): Size
  write(text: string): void
  /** Our screen, or what was there before; keys are heard with both. */
  show(what: 'screen' | 'stream'): void
  /** Stops the process as Ctrl+Z does, with the terminal as it was, and goes on with ours when it is continued. */
  suspend(): void
  close(): void
}

/** `onFresh`: nothing is known any more of what the screen shows. */
export type Heard = { onKeys: (chunk: string) => void; onFresh: () => void }

export type Streams = { input: ReadStream & { fd: number }; output: WriteStream & { fd: number } }

export async function openTerminal({ input, output }: Streams, heard: Heard): Promise<Terminal> {
  const guard = await startTerminalGuard({ output: output.fd, input: input.fd }, LEAVE.replaceAll('\u001B', String.raw`\033`))
  const so: Standing = { input, output, guard, shows: 'stream', isOurs: false, heard }
  const onKeys = (chunk: Buffer | string): void => heard.onKeys(String(chunk))
  const onStop = (): void => stop(so, onStop)
  const onGoOn = (): void => take(so)
  const onExit = (): void => giveBack(so)
  // A terminal that is gone can neither be read nor set; whoever runs us hears of that by a signal.
  input.setEncoding('utf8').on('data', onKeys).on('error', () => {})
  output.on('resize', heard.onFresh)
  process.on('SIGTSTP', onStop).on('SIGCONT', onGoOn).on('exit', onExit)
  take(so)
  return {
    size: () => ({ columns: output.columns, rows: output.rows }),
    write: (text) => void (so.isOurs && so.shows === 'screen' && output.write(text)),
    show(what) {
      if (so.shows === what) return
      so.shows = what
      output.write(what === 'screen' ? ENTER : EMPTY + LEAVE)
      heard.onFresh()
    },
    // The whole group, as the terminal would: whoever started us and waits is stopped too.
    suspend: () => void process.kill(0, 'SIGTSTP'),
    close() {
      process.off('SIGTSTP', onStop).off('SIGCONT', onGoOn).off('exit', onExit)
      giveBack(so)
      input.off('data', onKeys).pause()
      output.off('resize', heard.onFresh)
      guard?.close()
    },
  }
}

type Standing = Streams & { guard: TerminalGuard | null; shows: 'screen' | 'stream'; isOurs: boolean; heard: Heard }

/** Also where it was ours: a shell that had it meanwhile may have set it otherwise. */
function take(so: Standing): void {
  if (so.isOurs) so.input.setRawMode(false)
  so.isOurs = true
  so.input.setRawMode(true).resume()
  if (so.shows === 'screen') so.output.write(ENTER)
  so.guard?.up()
  so.heard.onFresh()
}

function giveBack(so: Standing): void {
  if (!so.isOurs) return
  so.isOurs = false
  if (so.shows === 'screen') so.output.write(EMPTY + LEAVE)
  so.input.setRawMode(false)
  so.guard?.down()
}

/** Where nobody could continue us, the system takes no notice of the signal: then it goes on at once. */
function stop(so: Standing, onStop: () => void): void {
  giveBack(so)
  process.off('SIGTSTP', onStop)
  process.kill(process.pid, 'SIGTSTP')
  setTimeout(() => {
    process.on('SIGTSTP', onStop)
    if (!so.isOurs) take(so)
  }, WAKING_MILLISECONDS)
}
