// Whether anybody listens behind an address of this machine. Where nobody does there is nothing to wait for, unlike with a server elsewhere.
import { connect } from 'node:net'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
/** Whoever takes longer to be reached may be there. */
const MOST_MILLISECONDS = 1000

/** Nothing is said: a connection is made and closed. */
export function nobodyListens(address: URL): Promise<boolean> {
  if (!LOOPBACK.test(address.hostname)) return Promise.resolve(false)
  const port = address.port === '' ? (address.protocol === 'https:' ? 443 : 80) : Number(address.port)
  return new Promise((resolve) => {
    const socket = connect({ host: address.hostname.replace(/^\[|\]$/g, ''), port, timeout: MOST_MILLISECONDS })
    const settle = (isNobody: boolean): void => {
      socket.destroy()
      resolve(isNobody)
    }
    socket.on('connect', () => settle(false))
    socket.on('timeout', () => settle(false))
    socket.on('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'))
  })
}
