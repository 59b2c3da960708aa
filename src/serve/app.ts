// The dashboard's server: a page, what it shows, a stream of what changes, and four things that can be asked of a session.
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { guard, type Lock } from './guard.js'
import { plainJson } from './plain-json.js'
import { streamChanges } from './stream.js'
import { ACTIONS, type Source } from './types.js'

const MOST_BODY_BYTES = 1024 * 1024

const shortBody = bodyLimit({ maxSize: MOST_BODY_BYTES, onError: (context) => refused(context, 413, 'the request is longer than 1 MiB') })

const NO_SESSION = 'there is no such session'

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export type AppOptions = Lock & { source: Source; page: string; readOnly: boolean }

export function createApp({ source, page, readOnly, ...lock }: AppOptions): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value)
  })
  app.use(guard(lock))
  app.get('/', (context) => context.html(page))
  app.get('/api/sessions', (context) => json(context, source.sessions()))
  app.get('/api/stream', (context) => streamChanges(context, source))
  app.get('/api/sessions/:id', (context) => session(context, source))
  app.get('/api/sessions/:id/iterations/:iteration{[0-9]{1,9}}', (context) => detail(context, source))
  app.post('/api/sessions/:id/:action', shortBody, (context) => act(context, source, readOnly))
  app.notFound((context) => refused(context, 404, 'there is nothing here'))
  app.onError((_error, context) => refused(context, 500, 'that went wrong; greenlatch doctor may tell more'))
  return app
}

function json(context: Context, value: unknown, status: ContentfulStatusCode = 200): Response {
  return context.body(plainJson(value), status, { 'content-type': 'application/json' })
}

function refused(context: Context, status: ContentfulStatusCode, said: string): Response {
  return json(context, { said }, status)
}

async function session(context: Context, source: Source): Promise<Response> {
  const page = await source.page(context.req.param('id') ?? '')
  return page ? json(context, page) : refused(context, 404, NO_SESSION)
}

async function detail(context: Context, source: Source): Promise<Response> {
  const { id = '', iteration } = context.req.param() as Record<string, string>
  const found = await source.detail(id, Number(iteration))
  if (found) return json(context, found)
  return refused(context, 404, (await source.page(id)) ? 'there is no such iteration' : NO_SESSION)
}

async function act(context: Context, source: Source, readOnly: boolean): Promise<Response> {
  const { id = '', action: named } = context.req.param() as Record<string, string>
  const action = ACTIONS.find((name) => name === named)
  if (action === undefined) return refused(context, 404, 'there is nothing here')
  if (readOnly) return refused(context, 403, 'this dashboard only shows; it was started with --read-only')
  const text = action === 'pause' || action === 'stop' ? '' : await textOf(context)
  if (text === null) return refused(context, 400, 'the request carries no text')
  const done = await source.act(id, action, text)
  if (!done) return refused(context, 404, NO_SESSION)
  return json(context, { said: done.said }, done.ok ? 200 : 409)
}

async function textOf(context: Context): Promise<string | null> {
  if (!(context.req.header('content-type') ?? '').startsWith('application/json')) return null
  const body: unknown = await context.req.json().catch(() => null)
  const text = typeof body === 'object' && body !== null && 'text' in body ? body.text : undefined
  return typeof text === 'string' ? text : null
}
