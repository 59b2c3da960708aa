// Begins the page: a report that carries its data, or a dashboard that asks its server.
import 'uplot/dist/uPlot.min.css'
import { render } from 'preact'
import type { PageData } from './data.js'
import { Dashboard } from './dashboard.js'
import { Report } from './report.js'
import './style.css'

const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData
const root = document.getElementById('app')

if (root) {
  root.replaceChildren()
  if (data.kind === 'live') render(<Dashboard version={data.version} readOnly={data.readOnly} />, root)
  else {
    const { session, details, version, madeAt } = data
    const foot = `made ${new Date(madeAt).toLocaleString()} by greenlatch ${version}`
    render(<Report session={session} detailOf={(iteration) => details[iteration] ?? null} foot={foot} />, root)
  }
}
