// One session: the strip above, the panels A to H below it. The same for a file and for a live page.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Burn } from './burn.js'
import { Certificate } from './certificate.js'
import { Convergence } from './convergence.js'
import type { Detail, SessionPage } from './data.js'
import { DiffSizes } from './diff-sizes.js'
import { Gantt } from './gantt.js'
import { Header } from './header.js'
import { HeatMap } from './heat-map.js'
import { Inspector } from './inspector.js'
import { Lanes } from './lanes.js'

export type DetailOf = (iteration: number) => Detail | null | Promise<Detail | null>

type Props = { session: SessionPage; detailOf: DetailOf; foot: string; actions?: ComponentChildren }

export function Report({ session, detailOf, foot, actions }: Props) {
  const { view } = session
  const last = view.rows.at(-1)?.iteration ?? 0
  const [chosen, choose] = useState<number | null>(null)
  const selected = chosen ?? view.head.best?.iteration ?? last
  useEffect(() => {
    document.title = `${session.state} · ${view.head.id} · Greenlatch`
  }, [session.state, view.head.id])
  const plot = { view, selected, choose }
  return (
    <>
      <a class="skip" href="#inspector">Skip to the iterations</a>
      <Header session={session} actions={actions} />
      <main>
        <Convergence {...plot} />
        <HeatMap {...plot} />
        <Lanes {...plot} />
        <Gantt {...plot} />
        <DiffSizes {...plot} limit={session.diffLimit} />
        <Burn {...plot} />
        <Inspector {...plot} detailOf={detailOf} />
        <Certificate claims={view.certificate} />
      </main>
      <footer>{foot}</footer>
    </>
  )
}
