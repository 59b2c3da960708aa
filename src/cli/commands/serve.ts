// `serve`: the sessions of this repository as a page on this machine, live.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT } from '../../errors.js'
import { makeFolder, replaceFile } from '../../files/durable.js'
import { startServer } from '../../serve/listen.js'
import { onwards } from '../../serve/onwards.js'
import { refuseAgents } from '../at-rest.js'
import { openContext, openSessions, type Context } from '../context.js'
import { fleetRoom, knownAddress, type FleetFlags } from '../fleet/open.js'
import { openInBrowser } from '../open-browser.js'
import { openBoard } from '../page/board.js'
import type { FleetBoard } from '../page/fleet-board.js'
import { pageHtml } from '../page/html.js'
import type { Call } from '../program.js'

export default async function serve({ flags, version }: Call<FleetFlags & { port?: number; readOnly?: boolean; open?: boolean }>): Promise<number> {
  const context = await openSessions(flags)
  refuseAgents('serve a dashboard')
  const readOnly = flags.readOnly === true
  const board = await openBoard(context, await fleetOf(flags))
  try {
    const page = pageHtml({ kind: 'live', version, readOnly })
    const serving = await startServer({ port: flags.port ?? 0, source: board, page, readOnly })
    try {
      await tell(serving.address, context, flags.open === true)
    } finally {
      await serving.close()
    }
  } finally {
    board.close()
  }
  return EXIT.ok
}

/** Null where no queue is named and none was started here. The settings of a repository have no say in which one it is. */
async function fleetOf(flags: FleetFlags): Promise<FleetBoard | null> {
  const user = await openContext(flags, {}, 'user').catch(() => openContext(flags, {}, 'none'))
  const address = knownAddress(flags, fleetRoom(user))
  return address === null ? null : (await import('../page/fleet-board.js')).openFleetBoard(address)
}

/** Until somebody ends it. */
async function tell(address: string, context: Context, isOpened: boolean): Promise<void> {
  const { output } = context
  const told = untilTold()
  if (output.format === 'text') output.data(address)
  else output.json({ address })
  output.say('on this machine only; the address carries a key, so keep it to yourself. Ctrl+C ends it.')
  const leave = isOpened ? await openAt(address, context) : null
  await told
  leave?.()
}

/** Command lines can be read by every user of the machine: the browser is given a file that leads to the address, for our eyes only. */
async function openAt(address: string, { store, output }: Context): Promise<() => void> {
  const file = join(dirname(store), `dashboard-${new URL(address).port}.html`)
  makeFolder(dirname(file))
  replaceFile(file, onwards(address))
  await openInBrowser(file, output.say)
  return () => rmSync(file, { force: true })
}

async function untilTold(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
