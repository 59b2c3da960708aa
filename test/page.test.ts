// The page that `report --html` writes, in a real browser: every panel, at several sizes, by keyboard, with hostile text in it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { overflow, seriousIn, useBrowser } from './support/browser.js'
import { sessionOf } from './support/long-session.js'

const PANELS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']

const browser = useBrowser()

describe.each([1, 40, 2000])('the report of a session of %s iterations', (iterations) => {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-page-'))
  let address = ''
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is one file, and small', async () => {
    const { run } = await sessionOf(iterations)
    const file = join(folder, `${iterations}.html`)
    expect(await run(['report', '--html', file])).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(file).length).toBeLessThan(5_000_000)
    address = pathToFileURL(file).href
  })

  it('shows every panel, and each picture as a table too', async () => {
    const page = await browser.open({ viewport: { width: 1200, height: 900 } })
    await page.goto(address)
    for (const letter of PANELS) expect(await page.locator(`#panel-${letter}`).count()).toBe(1)
    for (const button of await page.getByRole('button', { name: 'Table' }).all()) await button.click()
    expect(await page.getByRole('table').count()).toBe(7)
    expect(page.complaints).toEqual([])
  })

  it.each([['light', 360], ['dark', 1600]] as const)('has no serious fault for those who cannot see it well, %s at %s pixels', async (colorScheme, width) => {
    const page = await browser.open({ viewport: { width, height: 800 }, colorScheme })
    await page.goto(address)
    await page.locator('#panel-H').waitFor()
    expect(await seriousIn(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
  })

  it('shows text of agents as text', async () => {
    const page = await browser.open()
    await page.goto(address)
    expect(await page.title()).not.toBe('owned')
    expect(await page.locator('summary').first().textContent()).toContain('</script><script>')
    expect(await page.locator('img').count()).toBe(0)
    await page.getByRole('tab', { name: 'Response' }).click()
    expect(page.complaints).toEqual([])
    expect(await page.locator('body').innerText()).not.toMatch(/[\p{Cf}\u0080-\u009F]/u)
  })

  it('is gone through by keyboard alone', async () => {
    const page = await browser.open()
    await page.goto(address)
    const last = String(iterations)
    await page.getByRole('button', { name: 'Earlier' }).last().focus()
    await page.keyboard.press('Home')
    expect(await page.getByRole('spinbutton').inputValue()).toBe('0')
    await page.keyboard.press('Tab')
    await page.getByRole('group', { name: 'Choose an iteration' }).getByRole('button', { name: 'Later' }).focus()
    await page.keyboard.press('End')
    expect(await page.getByRole('spinbutton').inputValue()).toBe(last)
    await page.getByRole('tab', { name: 'Decision' }).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Events')
    expect(await page.getByRole('tabpanel').textContent()).toContain('decided')
  })

  it('needs nothing from elsewhere', async () => {
    const page = await browser.open({ offline: true })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(address)
    await page.locator('#panel-H').waitFor()
    expect(asked).toEqual([address])
  })
})
