// The dashboard where something is wrong: names that lead elsewhere, sessions that are damaged, requests that do not fit.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.js'
import { hashesOf, until } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'
import { ask, askWithKey, cookieOf, serve } from './support/serve.js'

const browser = useBrowser()
const PATIENT = { timeout: 20_000, interval: 100 }

function refused(status: number, said: unknown): unknown {
  return { status, said: { said } }
}

/** A session that waits for a person. */
async function waiting(place: Workshop, task = 'Make the parser fast'): Promise<string> {
  await place.run(['run', 'ooda', task, '--fresh', '--max-iterations', '3', '--agent', 'paste', '--no-input'])
  return place.session()
}

describe('a dashboard that is asked for what is not there', () => {
  it('reaches no session of another repository, and tells nobody which folders there are', async () => {
    const place = makeWorkshop()
    const own = await waiting(place)
    const foreign = join(dirname(dirname(dirname(own))), 'other', 'sessions', basename(own))
    cpSync(own, foreign, { recursive: true })
    const before = hashesOf(foreign)
    const served = await serve(place)
    for (const name of [`..%2f..%2fother%2fsessions%2f${basename(own)}`, '..%2f..%2fother', '..%2f..%2fnosuch', 'nosuch']) {
      for (const action of ['reply', 'hint', 'pause', 'stop']) {
        const answer = await askWithKey(served, `/api/sessions/${name}/${action}`, '{"text":"x"}')
        expect([name, action, answer]).toEqual([name, action, refused(404, 'there is no such session')])
      }
      expect(await askWithKey(served, `/api/sessions/${name}/iterations/1`)).toMatchObject({ status: 404 })
    }
    expect(hashesOf(foreign)).toEqual(before)
  })

  it('names what is missing or too much', async () => {
    const place = makeWorkshop()
    const id = basename(await waiting(place))
    const served = await serve(place)
    expect(await askWithKey(served, `/api/sessions/${id}/iterations/99`)).toEqual(refused(404, 'there is no such iteration'))
    const long = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    expect(await askWithKey(served, `/api/sessions/${id}/hint`, long)).toEqual(refused(413, 'the request is longer than 1 MiB'))
    for (const body of ['', '{}', '{"text":7}']) {
      expect(await askWithKey(served, `/api/sessions/${id}/hint`, body)).toEqual(refused(400, 'the request carries no text'))
      expect(await askWithKey(served, `/api/sessions/${id}/pause`, body)).toEqual(refused(409, expect.stringContaining('no process is running')))
    }
  })

  it('hands on no character that steers, hides or turns text around', async () => {
    const place = makeWorkshop()
    const id = basename(await waiting(place, 'turn \u202eback\u202c and \u001b[31mred\u0007'))
    const served = await serve(place)
    const headers = { authorization: `Bearer ${served.token}` }
    const stream = await fetch(`http://127.0.0.1:${served.port}/api/stream?session=${id}`, { headers })
    const reader = stream.body?.getReader()
    let told = ''
    while (!/event: session\n.*\n.*\n\n/.test(told)) told += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    const answers = await Promise.all(['', `/${id}`, `/${id}/iterations/1`].map((path) => askWithKey(served, `/api/sessions${path}`)))
    const texts = [told, ...answers.map(({ said }) => JSON.stringify(said))]
    for (const text of texts) expect(text).not.toMatch(/\u202e|\\u001b|\\u0007/)
    for (const text of texts.slice(0, 3)) expect(text).toContain('turn back and red')
  })
})

describe('a dashboard with a session that is damaged', () => {
  it('shows it as damaged, and the others as they are', async () => {
    const place = makeWorkshop()
    const bad = await waiting(place)
    const good = basename(await waiting(place))
    const [task, kept] = [join(bad, 'task.md'), join(bad, 'kept.md')]
    renameSync(task, kept)
    symlinkSync('/etc/hostname', task)
    const served = await serve(place)
    const states = async (): Promise<unknown> => {
      const { said } = await askWithKey(served, '/api/sessions')
      return Object.fromEntries((said as { id: string; state: string; group: string }[]).map(({ id, state, group }) => [id, `${state}, ${group}`]))
    }
    expect(await states()).toEqual({ [basename(bad)]: 'damaged, damaged', [good]: 'waiting, needs you' })
    rmSync(task)
    renameSync(kept, task)
    await expect.poll(states, PATIENT).toEqual({ [basename(bad)]: 'waiting, needs you', [good]: 'waiting, needs you' })
  })

  it('says so on its page, and shows it again when it is repaired', async () => {
    const place = makeWorkshop()
    const session = await waiting(place)
    const id = basename(session)
    const served = await serve(place)
    const page = await browser.open()
    await page.goto(served.address)
    await page.getByRole('link', { name: new RegExp(id) }).click()
    await page.getByRole('heading', { name: /Convergence/ }).waitFor()
    const journal = join(session, 'journal.jsonl')
    const lines = readFileSync(journal, 'utf8').split('\n')
    writeFileSync(journal, [lines[0], lines[1]?.replace('"at"', '"ta"'), ...lines.slice(2)].join('\n'))
    expect(await askWithKey(served, `/api/sessions/${id}`)).toMatchObject({ status: 404 })
    await page.getByText(`greenlatch repair ${id}`).waitFor()
    expect(await place.run(['repair', id])).toMatchObject({ code: 0 })
    await expect.poll(() => askWithKey(served, `/api/sessions/${id}`), PATIENT).toMatchObject({ status: 200 })
    await page.getByRole('heading', { name: /Convergence/ }).waitFor()
  })
})

describe('the key of a dashboard', () => {
  it('is in no command line when a browser is opened, but in a file of the user\'s own that is gone at the end', async () => {
    const place = makeWorkshop()
    const opener = place.program('xdg-open', 'echo "$@" > "$ROOT/opened"')
    const { server, address, token } = await serve(place, ['--open'], { env: { PATH: `${dirname(opener)}:${process.env['PATH']}` } })
    const file = await until('the browser', () => place.read('opened').trim() || null)
    expect(file).not.toContain(token)
    expect(file).toContain(`${place.state}/`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const page = await browser.open()
    await page.goto(pathToFileURL(file).href)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(page.url()).toBe(`${new URL(address).origin}/`)
    server.send('SIGINT')
    expect(await server.ended).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(false)
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.html'))).toEqual([])
  })

  it('is not what the cookie carries, which opens nothing as a key', async () => {
    const { port, token } = await serve(makeWorkshop())
    const host = `127.0.0.1:${port}`
    const cookie = await cookieOf({ port, token })
    const value = cookie.split('=')[1] ?? ''
    expect(value).not.toContain(token)
    const statusOf = async (more: Record<string, string>, method = 'GET'): Promise<number> => {
      const path = method === 'GET' ? '/api/sessions' : '/api/sessions/nosuch/stop'
      return (await ask(port, { method, path, headers: { host, ...more } })).status
    }
    const origin = `http://${host}`
    expect(await statusOf({ cookie })).toBe(200)
    expect(await statusOf({ authorization: `Bearer ${value}` })).toBe(401)
    expect(await statusOf({ cookie: `greenlatch-${port}=${token}` })).toBe(401)
    expect(await statusOf({ cookie, origin }, 'POST')).toBe(403)
    expect(await statusOf({ cookie, origin, 'x-greenlatch': '1' }, 'POST')).toBe(404)
  })
})
