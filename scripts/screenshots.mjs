// `npm run screenshots`: pictures for the documents, of a real session: report in light and dark, dashboard, and the screen as text.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { readOptions } from './options.mjs'
import { root } from './results.mjs'

const CLI = join(root, 'dist', 'greenlatch.cjs')
const MOST_BYTES = 600_000

const options = readOptions('screenshots', {
  check: { says: 'takes the pictures and keeps none' },
  full: { says: 'also keeps the report in its whole length, in the folder for temporary files' },
})
const place = mkdtempSync(join(tmpdir(), 'greenlatch-pictures-'))
const images = options.check ? join(place, 'images') : join(root, 'docs', 'images')
const repo = join(place, 'shop')
const env = { PATH: process.env.PATH, HOME: place, GREENLATCH_STATE_HOME: join(place, 'state'), GREENLATCH_SANDBOX: 'none', LANG: 'C.UTF-8', TZ: 'UTC' }
const greenlatch = (...args) => execFileSync(process.execPath, [CLI, ...args], { cwd: repo, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const attempted = (...args) => {
  try {
    greenlatch(...args)
  } catch {
    // A session that ends otherwise than well is one of the pictures.
  }
}

mkdirSync(images, { recursive: true })
try {
  makeRepository()
  makeSessions()
  await picture()
  console.log(sizes())
} finally {
  rmSync(place, { recursive: true, force: true })
}

/** Twelve things fail; the agent mends some, breaks others, and stands still for a while. */
function makeRepository() {
  mkdirSync(repo)
  const git = (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: repo, env })
  writeFileSync(join(repo, 'prices.txt'), 'shipping\ntax rounding\nempty basket\nvoucher twice\nnegative amount\ncurrency\nstock\n')
  writeFileSync(join(repo, 'check.sh'), 'sed "s/^/FAIL prices: /" prices.txt; [ ! -s prices.txt ]\n')
  writeFileSync(join(repo, 'greenlatch.yaml'), JSON.stringify({ agents: Object.fromEntries(['patient', 'stubborn'].map((name) => [name, { script: join(place, `${name}.json`) }])) }))
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'shop')
  greenlatch('trust', 'grant', '--yes')
}

function makeSessions() {
  const states = ['tax rounding\nempty basket\nvoucher twice\ncurrency\nstock\n', 'tax rounding\nempty basket\nvoucher twice\ncurrency\nstock\nrefund\ngift card\n', 'empty basket\nvoucher twice\nstock\n', 'empty basket\nvoucher twice\nstock\nshipping\n', 'empty basket\nvoucher twice\nstock\nrefund\n', 'voucher twice\nstock\n', 'stock\n', '']
  const script = (name, turns) => {
    writeFileSync(join(place, name), JSON.stringify({ turns, after: 'repeat' }))
    return name.replace('.json', '')
  }
  const turns = states.map((text, at) => ({ say: `I looked at prices.txt and mended what candidate ${at} had left.`, write: { 'prices.txt': text, [`notes-${at}.md`]: `${'A line of notes.\n'.repeat(3 + at * 4)}` }, tokens: 4200 + at * 900, sleepSeconds: 0.2 }))
  const gate = ['--gate', 'prices=sh check.sh', '--fresh']
  attempted('run', 'the basket adds up wrongly: make every check of prices pass', ...gate, '--agent', script('patient.json', turns), '--max-iterations', '20', '--max-tokens', '90000')
  attempted('run', 'round taxes as the law wants it', ...gate, '--agent', script('stubborn.json', [{ say: 'I changed nothing that helps.', write: { 'idea.md': 'x' }, tokens: 3100 }]))
  attempted('run', 'ooda', 'write the release notes', '--fresh', '--agent', 'paste', '--max-iterations', '3')
}

async function picture() {
  const ids = greenlatch('sessions', '--json')
  const sessions = JSON.parse(ids)
  const converged = (sessions.sessions ?? sessions).find(({ state }) => state === 'converged')
  if (!converged) throw new Error(`no session converged: ${ids}`)
  greenlatch('report', converged.session ?? converged.id, '--html', join(place, 'report.html'))
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme })
    await page.goto(pathToFileURL(join(place, 'report.html')).href)
    await page.locator('#panel-H').waitFor()
    await sleep(500)
    await page.screenshot({ path: join(images, `report-${colorScheme}.png`) })
    if (options.full) await page.screenshot({ path: join(tmpdir(), `greenlatch-report-${colorScheme}-full.png`), fullPage: true })
    await page.close()
  }
  const server = spawn(process.execPath, [CLI, 'serve'], { cwd: repo, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const address = await new Promise((told) => server.stdout.setEncoding('utf8').once('data', (text) => told(text.trim())))
  const page = await browser.newPage({ viewport: { width: 1000, height: 560 }, colorScheme: 'light' })
  await page.goto(address)
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  await sleep(500)
  await page.screenshot({ path: join(images, 'dashboard.png') })
  await browser.close()
  server.kill('SIGINT')
}

function sizes() {
  const all = readdirSync(images).map((name) => [name, statSync(join(images, name)).size])
  const sum = all.reduce((total, [, bytes]) => total + bytes, 0)
  if (sum > MOST_BYTES) throw new Error(`the pictures have ${sum} bytes, and ${MOST_BYTES} are the most`)
  return [...all, ['all', sum]].map(([name, bytes]) => `${name}: ${bytes} bytes`).join('\n')
}
