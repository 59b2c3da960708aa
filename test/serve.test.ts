// The dashboard: who is answered, what a browser sees while a run goes on, and what can be asked from it.
import { describe, expect, it } from 'vitest'
import { overflow, seriousIn, useBrowser } from './support/browser.js'
import { letGo, until, type Started } from './support/cli.js'
import { makeRig } from './support/fleet.js'
import { submit } from './support/fleet-commands.js'
import { makeWorkshop } from './support/repositories.js'
import { ask, cookieOf, serve } from './support/serve.js'

const browser = useBrowser()

/** A run whose agent waits for the test in each iteration. */
async function running(): Promise<{ place: ReturnType<typeof makeWorkshop>; run: Started; id: string }> {
  const place = makeWorkshop({ 'a.txt': 'one\n', 'test.sh': 'exit 1\n' })
  const agent = place.program('agent', 'cat >/dev/null', 'while [ ! -e "$ROOT/go-$GREENLATCH_ITERATION" ]; do sleep 0.05; done', 'echo $GREENLATCH_ITERATION >> a.txt')
  const run = place.start(['run', 'ooda', '--max-iterations', '9', '--ai-cmd', agent, '--gate', 'sh test.sh', '--failure-threshold', '9'])
  await until('the agent', () => place.starts('agent').length === 1)
  return { place, run, id: place.session().split('/').at(-1) ?? '' }
}

describe('the server of the dashboard', () => {
  it('answers only its own address, no foreign page, and nobody without the token', async () => {
    const place = makeWorkshop()
    const { port, token } = await serve(place)
    const cookie = await cookieOf({ port, token })
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, 'evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`]
    const origins = ['none', 'its own', 'null', 'http://evil.example', `http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`]
    const keys: Record<string, Record<string, string>> = {
      bearer: { authorization: `Bearer ${token}` },
      page: { cookie, 'x-greenlatch': '1' },
      cookie: { cookie },
      'the key as a cookie': { cookie: `greenlatch-${port}=${token}`, 'x-greenlatch': '1' },
      'the cookie as a key': { authorization: `Bearer ${cookie.split('=')[1]}` },
      wrong: { authorization: `Bearer ${token.slice(1)}x` },
      none: {},
      'cookie of another port': { cookie: cookie.replace(String(port), String(port + 1)), 'x-greenlatch': '1' },
    }
    const passed: string[] = []
    for (const host of hosts) {
      for (const origin of origins) {
        for (const [name, key] of Object.entries(keys)) {
          for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
            const from: Record<string, string> = origin === 'none' ? {} : { origin: origin === 'its own' ? `http://${host}` : origin }
            const path = method === 'GET' ? '/api/sessions' : '/api/sessions/nosuch/pause'
            const { status, text, headers } = await ask(port, { method, path, headers: { host, ...from, ...key }, body: method === 'GET' ? '' : '{"text":""}' })
            expect(headers).not.toHaveProperty('access-control-allow-origin')
            // A session that is not there is answered, and so is known to have passed.
            if (status === 200 || text.includes('no such session')) passed.push([method, hosts.indexOf(host), origin, name].join(' '))
          }
        }
      }
    }
    const good = [0, 1].flatMap((host) => [
      ...['none', 'its own'].flatMap((origin) => ['bearer', 'page', 'cookie'].map((key) => `GET ${host} ${origin} ${key}`)),
      `POST ${host} none bearer`, `POST ${host} its own bearer`, `POST ${host} its own page`,
    ])
    expect(passed.toSorted()).toEqual(good.toSorted())
  })

  it('takes the token out of the address, and gives it to no other site', async () => {
    const { port, token } = await serve(makeWorkshop())
    const host = `127.0.0.1:${port}`
    const first = await ask(port, { path: `/?token=${token}`, headers: { host } })
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('content="0;url=/"') })
    expect(first.text).not.toContain(token)
    expect(String(first.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict$/)
    expect(await ask(port, { path: '/?token=wrong', headers: { host } })).toMatchObject({ status: 401 })
    expect(await ask(port, { path: '/', headers: { host } })).toMatchObject({ status: 401 })
    const page = await ask(port, { path: '/', headers: { host, cookie: await cookieOf({ port, token }) } })
    expect(page).toMatchObject({ status: 200, headers: { 'content-security-policy': "frame-ancestors 'none'", 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })
  })

  it('has nothing where there is nothing', async () => {
    const { port, token } = await serve(makeWorkshop())
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` }
    const paths = [
      '/api/sessions/..%2f..%2fetc', '/api/sessions/nosuch', '/api/sessions/nosuch/iterations/1', '/api/sessions/x/iterations/-1',
      '/api/sessions/x/iterations/99999999999999', '/nosuch', '/%00', '/api/stream/x',
    ]
    for (const path of paths) expect([path, await ask(port, { path, headers })]).toMatchObject([path, { status: 404 }])
  })

  it('refuses to be asked for anything when it only shows', async () => {
    const { port, token } = await serve(makeWorkshop(), ['--read-only'])
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` }
    expect(await ask(port, { method: 'POST', path: '/api/sessions/x/stop', headers, body: '{"text":""}' })).toMatchObject({ status: 403 })
  })

  it('says so when its port is taken or is none, and ends at Ctrl+C', async () => {
    const place = makeWorkshop()
    const { port, server } = await serve(place)
    expect(await place.run(['serve', '--port', String(port)])).toMatchObject({ code: 2, stderr: expect.stringContaining(`port ${port} is taken`) })
    expect(await place.run(['serve', '--port', '70000'])).toMatchObject({ code: 2 })
    server.send('SIGINT')
    expect(await server.ended).toMatchObject({ code: 0 })
  })
})

describe('the dashboard in a browser', () => {
  it('shows a run as it goes on, takes a hint, and pauses it', async () => {
    const { place, run, id } = await running()
    const { address } = await serve(place)
    const page = await browser.open()
    await page.goto(address)
    await page.getByRole('link', { name: new RegExp(id) }).click()
    await page.getByText('iteration 1', { exact: false }).first().waitFor()
    letGo(place, 'go-1')
    await page.getByText(/act, iteration 2|iteration 2/).first().waitFor()
    await page.getByRole('textbox').fill('look at the parser')
    await page.keyboard.press('Enter')
    await page.getByText('the hint is taken').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('it pauses when').waitFor()
    letGo(place, 'go-2')
    expect(await run.ended).toMatchObject({ code: 8 })
    await page.locator('.state', { hasText: 'paused' }).waitFor()
    expect(page.complaints).toEqual([])
    expect(await place.run(['logs'])).toMatchObject({ stdout: expect.stringContaining('look at the parser') })
  })

  it('goes on by itself, with nothing missed, when its server was away', async () => {
    const { place, id } = await running()
    const first = await serve(place)
    const page = await browser.open()
    await page.goto(first.address)
    await page.getByRole('link', { name: new RegExp(id) }).click()
    await page.getByRole('heading', { name: /Convergence/ }).waitFor()
    await page.context().setOffline(true)
    for (const n of [1, 2, 3]) letGo(place, `go-${n}`)
    await until('three iterations', () => place.starts('agent').length === 4)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Table' }).first().click()
    await page.getByRole('region', { name: /Convergence/ }).getByRole('cell', { name: '3', exact: true }).first().waitFor()
  })

  it('is used by keyboard alone, in the dark and on a small screen, with hostile text, and has no serious fault for those who cannot see it well', async () => {
    const place = makeWorkshop()
    const hostile = '</script><img src=x onerror=alert(1)> \u202Eback'
    await place.run(['run', 'ooda', hostile, '--max-iterations', '3', '--agent', 'paste'])
    const { address } = await serve(place)
    const page = await browser.open({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
    await page.goto(address)
    await page.getByRole('link').first().waitFor()
    expect([await seriousIn(page), await overflow(page)]).toEqual([[], 0])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Convergence/ }).waitFor()
    expect([await seriousIn(page), await overflow(page)]).toEqual([[], 0])
    expect(await page.locator('img').count()).toBe(0)
    const tabTo = async (role: string, name: string): Promise<void> => {
      for (let n = 0; n < 60 && (await page.evaluate('(document.activeElement?.getAttribute("aria-label") || document.activeElement?.textContent)')) !== name; n++) await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement?.tagName.toLowerCase()'), name).toBe(role)
    }
    await tabTo('textarea', 'Your answer')
    await page.keyboard.type('done, I have looked')
    await tabTo('button', 'Reply')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/greenlatch resume|goes on/)
    await page.locator('.state', { hasText: 'answered' }).waitFor()
    await page.setViewportSize({ width: 1600, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    expect([await seriousIn(page), await overflow(page)]).toEqual([[], 0])
    expect(page.complaints).toEqual([])
  })

  it('stops a run', async () => {
    const { place, run, id } = await running()
    const { address } = await serve(place)
    const page = await browser.open()
    await page.goto(address)
    await page.getByRole('link', { name: new RegExp(id) }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/it stops/).waitFor()
    letGo(place, 'go-1')
    expect(await run.ended).toMatchObject({ code: 130 })
    await page.locator('.state', { hasText: 'stopped' }).waitFor()
  })

  it('GL-08 shows a fleet: what is queued, what runs where with its iteration, rung and budget, as it changes; a queue that goes away is a line', async () => {
    const rig = await makeRig({ 'a.txt': 'a\n', 'slow.json': JSON.stringify({ turns: [{ say: 'x', write: { 'b.txt': '1\n' }, sleepSeconds: 600 }], after: 'repeat' }) })
    const usual = ['ooda', '--repository', rig.url, '--agent', 'scripted:slow.json', '--max-iterations', '7', '--batch-cost', '5']
    const [running = ''] = await submit(rig, ...usual, 'the first')
    const [waiting = ''] = await submit(rig, ...usual, '<b>the second</b>', '--label', 'nobody')
    const worker = await rig.worker('builder-1')
    const { address, server } = await serve(makeWorkshop(), ['--read-only'], { env: { GREENLATCH_REDIS: rig.address } })
    const page = await browser.open({ viewport: { width: 360, height: 800 } })
    await page.goto(address)
    const fleet = page.getByRole('region', { name: 'Fleet', exact: true })
    const row = (session: string, state: string): ReturnType<typeof fleet.locator> => fleet.getByRole('row').filter({ hasText: session }).filter({ has: page.locator('.state', { hasText: state }) })
    await row(waiting, 'queued').getByText('<b>the second</b>').waitFor()
    await row(running, 'running').getByText('1 of 7 iterations').waitFor()
    expect((await row(running, 'running').getByRole('cell').allTextContents()).slice(0, 6)).toEqual(['running', running, 'builder-1', '1', '–', '–'])
    expect(await fleet.getByRole('heading').textContent()).toBe('Fleet · 1 running, 1 queued')
    expect(await fleet.getByText(/^batch .*: 0\.00 of 5\.00 USD$/).count()).toBe(2)
    expect([await seriousIn(page), await overflow(page), await page.locator('b').count()]).toEqual([[], 0, 0])
    expect((await rig.run(['cancel', running])).code).toBe(0)
    await row(running, 'cancelled').waitFor()
    worker.signal('SIGKILL')
    // It would wait for an answer that nobody gives any more.
    void rig.redis.shutdown('NOSAVE').catch(() => {})
    await fleet.getByRole('status').filter({ hasText: /the queue's server redis:\/\/127\.0\.0\.1:\d+ .*It is tried again by itself; what is shown may be old/ }).waitFor()
    await row(waiting, 'queued').waitFor()
    expect(page.complaints).toEqual([])
    server.send('SIGINT')
    expect(await server.ended).toMatchObject({ code: 0 })
  })
})
