// What a dashboard asks of a session, as the commands would.
import { EXIT, Refusal } from '../../errors.js'
import type { Action } from '../../web/data.js'
import { readEntry } from '../catalogue.js'
import type { Context } from '../context.js'
import { askOfPerson, handIn } from '../hand-in.js'
import { send, type Addressee, type Meant } from '../message.js'

type Done = { ok: boolean; said: string }

export async function actOn(context: Context, id: string, action: Action, text: string): Promise<Done> {
  try {
    return { ok: true, said: await act({ context, entry: await readEntry(context.store, id) }, action, text) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, said: `${error.message}; next: ${error.next}` }
    throw error
  }
}

async function act(to: Addressee, action: Action, text: string): Promise<string> {
  const { entry } = to
  const { finish } = entry.session
  if (finish) throw new Refusal(EXIT.usage, `it has ended: ${finish.outcome}`, `greenlatch status ${entry.id}`)
  const meant: Meant = { who: 'running', again: (id) => `greenlatch ${action} ${id}` }
  switch (action) {
    case 'pause':
      await send(to, { kind: 'pause' }, meant)
      return 'it pauses when the phase under way is over'
    case 'stop':
      await send(to, { kind: 'stop', now: false }, meant)
      return 'it stops when the phase under way is over'
    case 'hint':
      if (text.trim() === '') throw new Refusal(EXIT.usage, 'the hint is empty', 'greenlatch hint "look at the parser"')
      await send(to, { kind: 'hint', text }, meant)
      return entry.standing === 'running' ? 'the hint is taken when the phase under way is over' : `the hint is taken with greenlatch resume ${entry.id}`
    case 'reply':
      if (text.trim() === '') throw new Refusal(EXIT.usage, 'an empty answer is no answer', `greenlatch reply ${entry.id} --file <file>`)
      await handIn(entry, askOfPerson(entry), text)
      return `handed in; go on with greenlatch resume ${entry.id}`
  }
}
