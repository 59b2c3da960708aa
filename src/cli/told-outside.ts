// Who is told of a session outside the terminal, as the settings in force say it; not kept with the session, since addresses are often keys.
import { dirname } from 'node:path'
import { keysOf } from '../agent-entry.js'
import { outsideReporter, type Outside } from '../adapters/reporters/outside.js'
import type { NotifySettings } from '../config/types.js'
import { EXIT, Refusal } from '../errors.js'
import { handedOn } from '../process/environment.js'
import { secretsIn } from '../text/redact.js'
import { openAddress } from '../text/web-address.js'
import type { Context } from './context.js'

const HOOK_SECONDS = 60

/** Null where nobody wants to hear. Throws Refusal for an address that cannot be used: a note that never comes is missed too late. */
export function toldOutside({ config: { values, root }, store, output }: Context): Outside | null {
  const { notify, hooks, agents } = values
  const webhook = addressOf(notify)
  const command = notify.command ?? null
  if (webhook === null && command === null && Object.keys(hooks).length === 0) return null
  const withheld = keysOf(agents)
  const ofAgents = Object.values(agents).flatMap((agent) => ('env' in agent ? secretsIn(agent.env ?? {}) : []))
  return outsideReporter({
    notes: { on: notify.on, webhook, command, timeoutSeconds: notify.timeoutSeconds },
    hooks: Object.fromEntries(Object.entries(hooks).map(([name, { on, run, timeoutSeconds = HOOK_SECONDS }]) => [name, { on: [on].flat(), run, timeoutSeconds }])),
    cwd: root,
    // A hook may want to look at the session that it is told of.
    env: { ...handedOn(process.env, values.pass_env), GREENLATCH_STATE_HOME: dirname(dirname(store)) },
    secrets: [...withheld.map((name) => process.env[name]), ...ofAgents, webhook ?? undefined],
    withheld,
    say: output.say,
  })
}

function addressOf({ webhook, webhookVariable, plainHttp }: NotifySettings): string | null {
  if (webhookVariable === undefined) return webhook ?? null
  const address = process.env[webhookVariable]
  if (!address) throw new Refusal(EXIT.usage, `notify.webhookVariable: ${webhookVariable} is not set`, `export ${webhookVariable}=<address>`)
  const fault = plainHttp && URL.canParse(address) ? null : openAddress(address)
  if (fault !== null) throw new Refusal(EXIT.usage, `${webhookVariable}: ${fault}`, `export ${webhookVariable}=<address>`)
  return address
}
