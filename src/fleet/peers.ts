// Loads the packages of the queue, which are there only where somebody wanted a fleet.
import { EXIT, Refusal } from '../errors.js'

export type Peers = { bullmq: typeof import('bullmq'); Redis: typeof import('ioredis').Redis }

/** Asked for before anything is started: with one of them missing the queue's own loop would spin. */
export async function loadPeers(): Promise<Peers> {
  const [bullmq, ioredis] = [await optional('bullmq', () => import('bullmq')), await optional('ioredis', () => import('ioredis'))]
  return { bullmq, Redis: ioredis.Redis }
}

async function optional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const why = (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND' ? 'is not installed' : `cannot be loaded: ${String(error).split('\n')[0]}`
    throw new Refusal(EXIT.usage, `a fleet needs the package ${name}, which ${why}`, 'npm install --global bullmq@6 ioredis@5  (without --global where greenlatch is installed in a project)')
  }
}
