// Shows a file or an address with whatever the system opens such things with.
import { releaseProcess } from '../process/release.js'

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' }

/** Nothing to open it with is no failure: the place has been told. */
export async function openInBrowser(target: string, say: (text: string) => void): Promise<void> {
  const opener = OPENERS[process.platform]
  const isOpened = opener !== undefined && (await releaseProcess([opener, target]))
  if (!isOpened) say(`nothing here opens pages by itself; open ${target}`)
}
