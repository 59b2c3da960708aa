// `open`: makes a session without running it.
import { asTyped, prepare, type BeginFlags } from '../begin.js'
import type { Call } from '../program.js'
import { createSession } from '../wire.js'
import { summaryOf } from '../status-fields.js'

export default async function open({ args, flags, version, words }: Call<BeginFlags>): Promise<number> {
  const { context, plan } = asTyped(await prepare(args, flags, version, 'step'), words)
  const owned = await createSession(plan, context.store, { notice: () => {} })
  owned.ports.journal.settle()
  await owned.close()
  const { id } = owned.session
  if (context.output.format === 'text') {
    context.output.data(id)
    context.output.say(`opened in ${owned.folder}\n  one transition:  greenlatch step ${id}\n  run it:          greenlatch resume ${id}`)
  } else context.output.json({ ...summaryOf(owned.session, 'paused'), state: 'idle', path: owned.folder })
  return 0
}
