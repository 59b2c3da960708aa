// Tests of what an agent's own settings add to its reach.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { reachOfAgent, variablesInSettings } from './reach.js'

describe('settings of an agent', () => {
  const before = process.env['HOME']
  let home = ''
  beforeEach(() => {
    home = temporaryFolder()
    process.env['HOME'] = home
    mkdirSync(join(home, '.codex'))
  })
  afterEach(() => {
    if (before === undefined) delete process.env['HOME']
    else process.env['HOME'] = before
  })

  it('name the models that it may reach.', () => {
    writeFileSync(join(home, '.codex/config.toml'), 'base_url = "http://models.example:8080/v1"\n')
    expect(reachOfAgent({ known: 'codex', argv: ['codex'], env: {} }).network).toMatchObject({ hosts: expect.arrayContaining(['models.example:8080']) })
  })

  it('that cannot be read say nothing, and keep it from nothing.', () => {
    symlinkSync('config.toml', join(home, '.codex/config.toml'))
    expect(variablesInSettings('codex')).toEqual([])
    expect(reachOfAgent({ known: 'codex', argv: ['codex'], env: {} }).network).toMatchObject({ hosts: expect.arrayContaining(['api.openai.com']) })
  })
})
