// A session as one file that needs nothing else, to be opened, kept and sent on.
import type { Entry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { detailsWithin } from '../page/details.js'
import { pageHtml } from '../page/html.js'
import { watchSession } from '../page/session-page.js'

export async function reportPage(store: string, entry: Entry, version: string): Promise<string> {
  const session = await watchSession(store, entry.id).read()
  const details = await detailsWithin(entry, session.view)
  return pageHtml({ kind: 'report', version, madeAt: systemClock.now(), session, details })
}
