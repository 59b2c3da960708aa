// Several sessions on one repository at the same time: each keeps to its own files and comes to its own end.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOfChain, finishOf, readLines } from './journal.mjs'
import { differences, fsck, stateOf } from './repository.mjs'
import { greenlatch, journalIn, makeWorld, storeIn } from './world.mjs'

export async function sessionsTogether(rounds, each) {
  const faults = []
  for (let round = 0; round < rounds; round += 1) faults.push(...(await together(each)).map((text) => `round ${round}: ${text}`))
  return { rounds, sessions: rounds * each, faults }
}

async function together(each) {
  const world = makeWorld()
  try {
    const before = stateOf(world.work)
    const names = Array.from({ length: each }, (_, at) => `n${at}`)
    const ended = await Promise.all(names.map((name) => {
      const agent = join(world.folder, name)
      writeFileSync(agent, `#!/bin/sh\ncat >/dev/null\nls n* 2>/dev/null | grep -v '^${name}$' && exit 9\necho ${name} >>${name}\n`, { mode: 0o755 })
      return greenlatch(world, ['run', 'ooda', '--max-iterations', '2', '--parallel', '--ai-cmd', agent])
    }))
    const journals = journalIn(world)
    return [
      ...ended.flatMap(({ code, stderr }) => (code === 0 ? [] : [`exit ${code}: ${stderr.trim().split('\n').slice(-2).join(' ')}`])),
      ...(journals.length === each ? [] : [`${journals.length} sessions`]),
      ...journals.flatMap((path) => [...faultsOfChain(readLines(path)), ...(finishOf(readLines(path)) ? [] : ['one has not ended'])]),
      ...fsck(storeIn(world)),
      ...(differences(before, stateOf(world.work)).length === 0 ? [] : ["the user's repository changed"]),
    ]
  } finally {
    world.remove()
  }
}
