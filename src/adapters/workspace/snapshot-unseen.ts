// Folders that git could not look into, closed to us or nested too deep for any path: it only warns, and leaves out what lies there.
import { chmodSync, lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, shownPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf } from '../../files/durable.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { breather } from './breather.js'
import { ignoredAmong } from './left-out.js'
import { foldersOf, prefixesOf } from './nested.js'
import { setAside } from './salvage-aside.js'
import type { Site } from './snapshot-add.js'

/** The owner's rights to list and to enter. */
const LOOKS_IN = 0o500
const OWNER_ALL = 0o700
/** Somewhat less than a system takes as one path, so that there is room for the folder's own. */
const MOST_PATH_BYTES = 3500

type Unseen = { opened: BytePath[]; closed: { path: BytePath; isOurs: boolean }[]; deep: BytePath[] }

/** Opens and moves aside in a folder of ours; elsewhere what is closed by the user themselves is refused, and all else is said. */
export async function clearUnseen(site: Site, notices: string[]): Promise<'try-again' | 'rest-stays'> {
  const { opened, closed, deep } = await unseenIn(site)
  const ignored = await ignoredAmong(site, [...closed.map(({ path }) => path), ...deep])
  const left = closed.filter(({ path }) => !ignored.has(path))
  const own = site.strays === 'aside' ? undefined : left.find(({ isOurs }) => isOurs)
  if (own) throw closedToUs(site.folder, own.path)
  for (const path of opened) notices.push(`${shownPath(path)} was closed to us and has been opened`)
  for (const { path } of left) sayOnce(notices, `what lies in ${shownPath(path)} is not kept: the folder is closed to us`)
  const moved = await clearDeep(site, deep.filter((path) => !ignored.has(path)), notices)
  return opened.length + moved > 0 ? 'try-again' : 'rest-stays'
}

export function closedToUs(folder: string, path: BytePath): Refusal {
  const text = `the folder ${shownPath(path)} is closed to us, so what lies in it is unknown`
  return new Refusal(EXIT.state, text, `ls -la ${quoteWord(folder)}`)
}

/** The first folder on the way that no tree knows of goes as a whole: what lies below has no path that anyone could use. */
async function clearDeep(site: Site, deep: readonly BytePath[], notices: string[]): Promise<number> {
  const known = new Set((await foldersOf(site.store, site.base)).folders)
  const tops = new Set(deep.map((path) => [...prefixesOf(path), path].find((prefix) => !known.has(prefix)) ?? path))
  for (const path of tops) {
    if (site.strays === 'aside') notices.push(setAside(site, path, 'it holds folders nested too deep for any path'))
    else sayOnce(notices, `not all that lies in ${shownPath(path)} is kept: folders are nested too deep for any path`)
  }
  return site.strays === 'aside' ? tops.size : 0
}

function sayOnce(notices: string[], text: string): void {
  if (!notices.includes(text)) notices.push(text)
}

async function unseenIn(site: Site): Promise<Unseen> {
  const unseen: Unseen = { opened: [], closed: [], deep: [] }
  const breathe = breather()
  const waiting: BytePath[] = ['.']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    await breathe()
    const below = path === '.' ? '' : `${path}/`
    for (const entry of entriesIn(site, path, unseen)) if (entry.isDirectory() && entry.name !== '.git') waiting.push(`${below}${entry.name}`)
  }
  return unseen
}

/** Of a folder that can be looked into, if need be once it is open. */
function entriesIn({ folder, strays }: Site, path: BytePath, unseen: Unseen): Dirent[] {
  const full = rawPath(`${bytePath(folder)}/${path}`)
  try {
    if (path.length > MOST_PATH_BYTES) throw Object.assign(new Error('too deep'), { code: 'ENAMETOOLONG' })
    if (strays === 'aside' && isClosedByUs(lstatSync(full))) {
      chmodSync(full, OWNER_ALL)
      unseen.opened.push(path)
    }
    return readdirSync(full, { withFileTypes: true, encoding: 'latin1' })
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENAMETOOLONG') unseen.deep.push(path)
    else if (code === 'EACCES' || code === 'EPERM') unseen.closed.push({ path, isOurs: isClosedByUs(lstatSync(full, { throwIfNoEntry: false })) })
    else if (code !== 'ENOENT') throw error
    return []
  }
}

function isClosedByUs(entry: Stats | undefined): boolean {
  return entry !== undefined && entry.uid === process.geteuid?.() && entry.uid !== 0 && (entry.mode & LOOKS_IN) !== LOOKS_IN
}
