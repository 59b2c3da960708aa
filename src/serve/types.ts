// What a server shows, and what it can ask for. Where it comes from is not its business.
import type { Action, Detail, Fleet, SessionLine, SessionPage } from '../web/data.js'

export const ACTIONS: readonly Action[] = ['pause', 'stop', 'hint', 'reply']

export type Source = {
  /** The list as it is now, and again whenever `onChange` has been called. */
  sessions(): readonly SessionLine[]
  /** Null where there is none, or nothing is known of it yet. The same object until it has changed. */
  fleet(): Fleet | null
  /** Null for a session that is not there. */
  page(id: string): Promise<SessionPage | null>
  detail(id: string, iteration: number): Promise<Detail | null>
  /** What came of it, for people; `ok` is false when it was refused. Null for a session that is not there. */
  act(id: string, action: Action, text: string): Promise<{ ok: boolean; said: string } | null>
  /** Called with the ids of sessions that have something new to tell, or with none when the fleet has. Returns how to hear no more. */
  onChange(hear: (ids: ReadonlySet<string>) => void): () => void
}
