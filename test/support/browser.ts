// A real browser, as the system brings it, and what it finds wrong with a page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'

const PROGRAM = '/usr/bin/chromium'

let browser: Promise<Browser> | null = null

/** One browser for all tests of a file; each page has a profile of its own. */
export function useBrowser(): { open(options?: BrowserContextOptions): Promise<Page & { complaints: string[] }> } {
  afterAll(async () => (await browser)?.close())
  return {
    async open(options = {}) {
      // Root may not use the browser's own sandbox; what it shows here is made by the tests.
      browser ??= chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
      const context = await (await browser).newContext(options)
      onTestFinished(() => context.close())
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`)))
      return Object.assign(page, { complaints })
    },
  }
}

const AXE = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8')

type Found = { violations: { id: string; impact: string; nodes: { html: string }[] }[] }

/** What the checker calls serious or critical. */
export async function seriousIn(page: Page): Promise<string[]> {
  // The page lets no foreign script in, so the checker comes by the debugger's door.
  const { violations } = (await page.evaluate(`(() => { ${AXE}; return axe.run(document) })()`)) as Found
  return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

export async function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth') as Promise<number>
}
