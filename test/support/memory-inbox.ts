// An inbox in memory, for loops that have no folder.
import type { Inbox, Message } from '../../src/ports.js'

export type MemoryInbox = Inbox & { put(message: Message): void }

export function memoryInbox(first: readonly Message[] = []): MemoryInbox {
  let messages = [...first]
  let arrived = (): void => {}
  return {
    put(message) {
      messages.push(message)
      arrived()
    },
    take: () => ({ messages: [...messages], notices: [] }),
    peek: () => [...messages],
    done: (message) => void (messages = messages.filter((other) => other.id !== message.id)),
    watch(onArrival) {
      arrived = onArrival
      return () => {}
    },
  }
}
