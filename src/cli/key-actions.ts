// What the keys of a screen ask of its session, as the commands of the same names do it.
import { changes, readablePatch } from '../adapters/workspace/changes.js'
import type { Actions } from '../adapters/reporters/live.js'
import { diagnosisText } from '../text/diagnosis/text.js'
import { readEntry } from './catalogue.js'
import { changeLine } from './change-lines.js'
import type { Context } from './context.js'
import { diagnosisOf } from './diagnosis-of.js'
import { actOn } from './page/act.js'
import { storeOf } from './places.js'

export function keyActions(context: Context, id: string): Pick<Actions, 'hint' | 'pause' | 'diff' | 'explain'> {
  const read = (): ReturnType<typeof readEntry> => readEntry(context.store, id)
  return {
    hint: async (text) => (await actOn(context, id, 'hint', text)).said,
    pause: async () => (await actOn(context, id, 'pause', '')).said,
    /** From the start to what stands there now, the files first. */
    async diff() {
      const entry = await read()
      const { start, candidate } = entry.session
      const store = await storeOf(entry)
      const found = (await changes(store, start, candidate, 'followed')).changes
      if (found.length === 0) return ['nothing changed since the start']
      return [...found.map(changeLine), '', ...(await readablePatch(store, start, candidate)).split('\n')]
    },
    explain: async () => diagnosisText(await diagnosisOf(await read())).split('\n'),
  }
}
