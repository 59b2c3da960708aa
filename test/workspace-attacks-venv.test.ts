// A virtual environment that is copied into a checkout: nothing in the copy writes into the user's own.
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put, stateOf } from '../src/git/fixture.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

/** As `python -m venv` lays it out, with the whole path of its place in its scripts. */
function environmentAt(shop: Workshop, root: string): void {
  const venv = join(root, '.venv')
  put(shop.repo, {
    '.gitignore': '.venv\n',
    '.venv/bin/activate': `VIRTUAL_ENV="${venv}"\nexport VIRTUAL_ENV\nPATH="$VIRTUAL_ENV/bin:$PATH"\nexport PATH\n`,
    '.venv/bin/activate.fish': `set -gx VIRTUAL_ENV "${venv}"\n`,
    '.venv/bin/tool': `#!${venv}/bin/python\nx\n`,
    '.venv/pyvenv.cfg': `home = /usr/bin\ncommand = /usr/bin/python3 -m venv ${venv}\n`,
  })
  put(shop.repo, { '.venv/bin/python': '#!/bin/sh\necho ran >> "$VIRTUAL_ENV/log"\n' })
}

describe('a virtual environment in a checkout', () => {
  it.each(['its own path', 'another name of it'])('is written to in the checkout, though its scripts name the user’s by %s.', async (name) => {
    const shop = makeWorkshop()
    symlinkSync(shop.repo, join(shop.root, 'alias'))
    environmentAt(shop, name === 'its own path' ? shop.repo : join(shop.root, 'alias'))
    shop.commit('ignores')
    const before = stateOf(join(shop.repo, '.venv'))
    const agent = shop.program(
      'agent', 'cat > /dev/null', '. .venv/bin/activate', 'echo x > "$VIRTUAL_ENV/installed"',
      'cp .venv/bin/tool .venv/bin/activate.fish .venv/pyvenv.cfg "$ROOT"', 'pwd > "$ROOT/where"; ls .venv > "$ROOT/listed"; echo done',
    )
    expect(await shop.run(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent])).toMatchObject({ code: 0 })
    expect(shop.read('listed').split('\n')).toContain('installed')
    expect(stateOf(join(shop.repo, '.venv'))).toEqual(before)
    for (const file of ['tool', 'activate.fish', 'pyvenv.cfg']) {
      const text = readFileSync(join(shop.root, file), 'utf8')
      expect([text.includes(`${shop.read('where').trim()}/.venv`), text.includes(`${shop.repo}/`), text.includes('alias')]).toEqual([true, false, false])
    }
  })
})
