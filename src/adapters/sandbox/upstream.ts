// A proxy of the user's own, where the machine gets out by one: read from the usual variables, and gone through.
import { connect, type Socket } from 'node:net'

export type Upstream = { host: string; port: number; authorization: string | null }

type Environment = Readonly<Record<string, string | undefined>>

const WAIT_MILLISECONDS = 30_000
const LONGEST_HEAD_CHARS = 16 * 1024

/** Null where there is none, or none that we can go through. */
export function upstreamIn(environment: Environment): Upstream | null {
  const text = environment['HTTPS_PROXY'] || environment['https_proxy'] || environment['HTTP_PROXY'] || environment['http_proxy'] || ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:') return null
  const login = url.username === '' ? null : Buffer.from(`${decoded(url.username)}:${decoded(url.password)}`).toString('base64')
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || '80'), authorization: login === null ? null : `Basic ${login}` }
}

/** What is no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A connection that leads to `named`; null when the proxy does not give one. */
export function tunnelThrough({ host, port, authorization }: Upstream, named: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: WAIT_MILLISECONDS })
    const failed = (): void => {
      socket.destroy()
      resolve(null)
    }
    let head = ''
    const hear = (chunk: Buffer): void => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return head.length > LONGEST_HEAD_CHARS ? failed() : undefined
      if (!/^HTTP\/1\.[01] 2\d\d/.test(head)) return failed()
      socket.off('data', hear).off('error', failed).off('timeout', failed).off('close', failed).setTimeout(0)
      socket.pause()
      if (head.length > end + 4) socket.unshift(Buffer.from(head.slice(end + 4), 'latin1'))
      return resolve(socket)
    }
    socket.once('error', failed).once('timeout', failed).once('close', failed).on('data', hear)
    socket.once('connect', () => socket.write(`CONNECT ${named} HTTP/1.1\r\nhost: ${named}\r\n${authorization === null ? '' : `proxy-authorization: ${authorization}\r\n`}\r\n`))
  })
}
