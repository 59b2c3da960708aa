// A run inside a build at GitHub: its summary, its annotations, and that nothing an agent or a test says is obeyed by the log reader.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorkshop } from './support/repositories.js'

/** The lines that the reader of a log would obey. */
function obeyed(log: string): string[] {
  let word: string | null = null
  return log.split(/\r?\n/).map((line) => line.trimStart()).filter((line) => {
    if (word !== null) {
      if (line === `::${word}::`) word = null
      return false
    }
    const [, stopped] = /^::stop-commands::(\S+)$/.exec(line) ?? []
    if (stopped !== undefined) {
      word = stopped
      return false
    }
    return line.startsWith('::') || line.includes('##[')
  })
}

describe('a run inside a build at GitHub', () => {
  it('leaves a summary and annotations, and lets nobody else give orders', async () => {
    const shop = makeWorkshop({ 'test/a.js': '', failing: Array.from({ length: 14 }, (_, n) => `n${n}`).join('\n') })
    const summary = join(shop.root, 'summary.md')
    writeFileSync(summary, 'before\n')
    const gate = shop.program('gate', 'sed "s/^/FAIL ::set-env name=PATH::\\/evil /" failing', 'printf "::add-path::/evil\\n"', 'exit 1')
    const agent = shop.program('agent', 'cat >/dev/null', 'printf "\\n::error::owned\\n::add-mask::a\\n"', 'env > "$ROOT/agent-env"', 'date +%N > b.txt')
    const env = { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_ENV: join(shop.root, 'env') }
    const ended = await shop.run(['run', 'mend it\n::warning::task', '--gate', `tests=${gate}`, '--ai-cmd', agent, '--max-iterations', '2'], { env })
    expect(ended.code).not.toBe(0)
    const orders = obeyed(ended.stderr)
    expect(orders[0]).toMatch(/^::error title=Greenlatch%3A (exhausted|stalled) \(unverified\)::/)
    expect(orders).toHaveLength(10)
    expect(orders.every((line) => line.startsWith('::error '))).toBe(true)
    expect(orders.join('\n')).not.toMatch(/^::(?:set-env|add-path)|(?<!%3A)::set-env name=PATH::.*title/m)
    expect(obeyed(ended.stdout)).toEqual([])
    const text = readFileSync(summary, 'utf8')
    expect(text).toMatch(/^before\n## Greenlatch: (exhausted|stalled)/)
    expect(text).toContain('**Failing in the last check**')
    expect(shop.read('agent-env')).not.toMatch(/GITHUB_(?:ENV|STEP_SUMMARY)=/)
  })

  it('says where it ended well, and goes on without a summary that cannot be written', async () => {
    const shop = makeWorkshop({ failing: 'one\n' })
    const gate = shop.program('gate', 'sed "s/^/FAIL /" failing', '[ ! -s failing ]')
    const agent = shop.program('agent', 'cat >/dev/null', 'sed -i 1d failing')
    const ended = await shop.run(['run', 'mend it', '--gate', gate, '--ai-cmd', agent], { env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: shop.root } })
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('the summary of this step cannot be written') as string })
    expect(obeyed(ended.stderr)).toEqual([expect.stringMatching(/^::notice title=Greenlatch%3A converged \(.*verified\)::/)])
  })
})
