// The live page: the list of sessions, or one of them with what can be asked of it.
import { useEffect, useState } from 'preact/hooks'
import { counted, duration } from '../text/amounts.js'
import { GROUPS, type Action, type Fleet, type SessionLine, type SessionPage } from './data.js'
import { FleetPanel } from './fleet-panel.js'
import { toneOf } from './header.js'
import { act, detailOf, useLive } from './live.js'
import { Report } from './report.js'

type Props = { version: string; readOnly: boolean }

export function Dashboard({ version, readOnly }: Props) {
  const id = useChosen()
  const { sessions, session, fleet, isLost } = useLive(id)
  const lost = isLost && <p class="lost" role="status">The connection to greenlatch is gone; what is shown may be old. It is tried again by itself.</p>
  if (id === null) return <>{lost}<Sessions sessions={sessions} fleet={fleet} foot={`greenlatch ${version}`} /></>
  const back = <a class="back" href="#">All sessions</a>
  const line = sessions?.find((one) => one.id === id)
  if (line?.group === 'damaged') return <>{lost}{back}<Damaged {...line} /></>
  if (sessions && !line) return <>{lost}{back}<p class="empty">There is no session {id}.</p></>
  if (!session) return <>{lost}{back}<p class="empty">Loading {id}…</p></>
  const actions = readOnly ? undefined : <Actions id={id} session={session} />
  return (
    <>
      {lost}
      {back}
      <Report session={session} detailOf={(iteration) => detailOf(id, iteration)} foot={`greenlatch ${version} · live`} actions={actions} />
    </>
  )
}

/** The session in the address, so that it can be kept and shared between windows. */
function useChosen(): string | null {
  const read = (): string | null => (location.hash.startsWith('#session=') ? decodeURIComponent(location.hash.slice('#session='.length)) : null)
  const [id, setId] = useState(read)
  useEffect(() => {
    const hear = (): void => {
      // A link inside the page, such as to its inspector, is no other page.
      if (location.hash === '' || location.hash.startsWith('#session=')) setId(read())
    }
    addEventListener('hashchange', hear)
    return () => removeEventListener('hashchange', hear)
  }, [])
  return id
}

function Sessions({ sessions, fleet, foot }: { sessions: SessionLine[] | null; fleet: Fleet | null; foot: string }) {
  useEffect(() => {
    document.title = 'Sessions · Greenlatch'
  }, [])
  return (
    <>
      <header><p class="brand">Greenlatch</p><h1>Sessions</h1></header>
      <main class="sessions">
        {sessions === null && <p class="empty">Loading…</p>}
        {sessions?.length === 0 && <p class="empty">There is no session in this repository yet. <code>greenlatch run --help</code> tells how to start one.</p>}
        {GROUPS.map((group) => {
          const lines = sessions?.filter((line) => line.group === group) ?? []
          if (lines.length === 0) return null
          return <section class="panel wide" aria-label={group}><h2>{group} · {lines.length}</h2>{lines.map((line) => (group === 'damaged' ? <Damaged {...line} /> : <Line {...line} />))}</section>
        })}
        {fleet && <FleetPanel fleet={fleet} />}
      </main>
      <footer>{foot}</footer>
    </>
  )
}

/** Nothing of it can be believed, so nothing of it is shown. */
function Damaged({ id, state, task }: SessionLine) {
  return <p class="damaged"><span class={`state ${toneOf(state)}`}>{state}</span> <span class="name">{id}: {task}</span></p>
}

function Line({ id, procedure, task, state, iteration, failing, seconds }: SessionLine) {
  const figures = [counted(iteration, 'iteration'), failing === null ? 'not checked' : `${failing} failing`, duration(seconds)].join(' · ')
  return (
    <a href={`#session=${encodeURIComponent(id)}`}>
      <span class={`state ${toneOf(state)}`}>{state}</span>
      <span class="name">{task || procedure} <span class="cause">{id}</span></span>
      <span class="figures">{figures}</span>
    </a>
  )
}

function Actions({ id, session }: { id: string; session: SessionPage }) {
  const [text, write] = useState('')
  const [said, say] = useState('')
  const isWaiting = session.state === 'waiting'
  const isOpen = session.view.head.finish === null
  const ask = (action: Action): void => {
    say('…')
    void act(id, action, text).then((answer) => {
      say(answer)
      if (action === 'hint' || action === 'reply') write('')
    }, () => say('the server does not answer'))
  }
  if (!isOpen) return null
  const action = isWaiting ? 'reply' : 'hint'
  return (
    <div class="actions" role="group" aria-label="Actions">
      <button type="button" onClick={() => ask('pause')}>Pause</button>
      <button type="button" onClick={() => ask('stop')}>Stop</button>
      <form onSubmit={(event) => { event.preventDefault(); ask(action) }}>
        {isWaiting
          ? <textarea rows={3} aria-label="Your answer" placeholder="Your answer" value={text} onInput={(event) => write(event.currentTarget.value)} />
          : <input type="text" aria-label="A hint for the next iteration" placeholder="A hint for the next iteration" value={text} onInput={(event) => write(event.currentTarget.value)} />}
        <button type="submit" disabled={text.trim() === ''}>{isWaiting ? 'Reply' : 'Hint'}</button>
      </form>
      <span class="said" role="status">{said}</span>
    </div>
  )
}
