// `fleet cancel`: ends sessions for good; one that runs ends with its next sign of life, one that waits is never begun.
import { KEY } from '../../fleet/shared.js'
import { counted } from '../../text/amounts.js'
import type { Call } from '../program.js'
import { chosen, rowsOf, withFleet, type FleetFlags } from './open.js'

const OPEN = new Set(['queued', 'later', 'running'])

export default function cancel({ args, flags }: Call<FleetFlags>): Promise<number> {
  return withFleet(flags, async (fleet) => {
    const rows = await rowsOf(fleet)
    const named = args.flatMap((name) => chosen(rows, name))
    const ids = [...new Set(named.filter(({ state }) => OPEN.has(state)).map(({ session }) => session))]
    if (ids.length > 0) await fleet.server.redis.sadd(KEY.cancelled, ...ids)
    if (fleet.output.format === 'text') fleet.output.data(ids.join('\n') || 'nothing of that is queued or running')
    else fleet.output.json({ cancelled: ids })
    fleet.output.say(`${counted(ids.length, 'session')} cancelled; ${named.length - ids.length} had ended before`)
    return 0
  })
}
