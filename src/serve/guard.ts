// Who may ask: only this machine's own page or a program with the token, whatever site a browser has open beside it.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { onwards } from './onwards.js'

export type Lock = { port: number; token: string }

const HOSTS = ['127.0.0.1', 'localhost', '[::1]']

/** A refusal says what is wrong and nothing else. */
export function guard({ port, token }: Lock): MiddlewareHandler {
  const hosts = new Set(HOSTS.map((host) => `${host}:${port}`))
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    // A name of somebody else's that leads to this machine is not one of ours.
    if (!hosts.has(host)) return context.text('this address is not served here\n', 421)
    const origin = context.req.header('origin')
    if (origin !== undefined && origin !== `http://${host}`) return context.text('pages of other sites are not answered\n', 403)
    if (isFirstVisit(context)) return enter(context, { port, token })
    const isProgram = hasBearer(context, token)
    if (!isProgram && !hasCookie(context, { port, token })) return context.text('open the address that greenlatch serve printed\n', 401)
    const isWriting = !['GET', 'HEAD'].includes(context.req.method)
    if (isWriting && !isProgram && !isOwnPage(context)) return context.text('only its own page may ask for this\n', 403)
    return next()
  }
}

function isFirstVisit(context: Context): boolean {
  return context.req.method === 'GET' && context.req.path === '/' && context.req.query('token') !== undefined
}

/**
 * The token leaves the address at once: addresses are kept in histories and sent to others. A page goes on by itself where a
 * redirect would not do: after one that began in a file or at another site, browsers keep the cookie back.
 */
function enter(context: Context, { port, token }: Lock): Response {
  if (!isSame(context.req.query('token') ?? '', token)) return context.text('this is not the token that greenlatch serve printed\n', 401)
  setCookie(context, cookieName(port), cookieOf(token), { httpOnly: true, sameSite: 'Strict', path: '/' })
  return context.html(onwards('/'))
}

function hasBearer(context: Context, token: string): boolean {
  const [, bearer = ''] = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '') ?? []
  return isSame(bearer, token)
}

/** Whoever names a key is judged by it alone. */
function hasCookie(context: Context, { port, token }: Lock): boolean {
  return context.req.header('authorization') === undefined && isSame(getCookie(context, cookieName(port)) ?? '', cookieOf(token))
}

/** Forms and links of other pages send neither of the two; the server's own page sends both. */
function isOwnPage(context: Context): boolean {
  return context.req.header('origin') !== undefined && context.req.header('x-greenlatch') === '1'
}

/** Browsers send a cookie to every port of this machine: what others may see there is not the key, and is no key to anything as one. */
function cookieOf(token: string): string {
  return createHmac('sha256', token).update('greenlatch cookie').digest('base64url')
}

/** Cookies know no ports: two servers on one machine must not take each other's. */
function cookieName(port: number): string {
  return `greenlatch-${port}`
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
