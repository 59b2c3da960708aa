// What a live page hears from its server: one stream for the list, one session at a time with it, taken up again where it broke off.
import { useEffect, useState } from 'preact/hooks'
import { withChanges } from '../text/view/view.js'
import type { Action, Detail, Fleet, SessionLine, SessionPage, Told } from './data.js'

export type Live = { sessions: SessionLine[] | null; session: SessionPage | null; fleet: Fleet | null; isLost: boolean }

export function useLive(id: string | null): Live {
  const [live, setLive] = useState<Live>({ sessions: null, session: null, fleet: null, isLost: false })
  useEffect(() => {
    setLive((before) => ({ ...before, session: null }))
    // The browser itself connects again, and says which record it heard last.
    const stream = new EventSource(id === null ? '/api/stream' : `/api/stream?session=${encodeURIComponent(id)}`)
    stream.addEventListener('open', () => setLive((before) => ({ ...before, isLost: false })))
    stream.addEventListener('error', () => setLive((before) => ({ ...before, isLost: true })))
    stream.addEventListener('sessions', ({ data }) => setLive((before) => ({ ...before, sessions: JSON.parse(data) as SessionLine[] })))
    stream.addEventListener('fleet', ({ data }) => setLive((before) => ({ ...before, fleet: JSON.parse(data) as Fleet })))
    stream.addEventListener('session', ({ data }) => setLive((before) => ({ ...before, session: told(before.session, JSON.parse(data) as Told) })))
    return () => stream.close()
  }, [id])
  return live
}

function told(before: SessionPage | null, news: Told): SessionPage | null {
  if ('whole' in news) return news.whole
  return before && { ...before, ...news.rest, view: withChanges(before.view, news.changes) }
}

export async function detailOf(id: string, iteration: number): Promise<Detail | null> {
  const answer = await fetch(`/api/sessions/${encodeURIComponent(id)}/iterations/${iteration}`)
  return answer.ok ? ((await answer.json()) as Detail) : null
}

/** What came of it, in a sentence. */
export async function act(id: string, action: Action, text: string): Promise<string> {
  // The last is what tells the server's own page from any other that a browser has open.
  const headers = { 'content-type': 'application/json', 'x-greenlatch': '1' }
  const answer = await fetch(`/api/sessions/${encodeURIComponent(id)}/${action}`, { method: 'POST', headers, body: JSON.stringify({ text }) })
  const { said } = (await answer.json().catch(() => ({ said: `the server answered ${answer.status}` }))) as { said: string }
  return said
}
