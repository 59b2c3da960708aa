import { describe, expect, it } from 'vitest'
import { parseSettings } from '../../config/document.js'
import { checkSettings } from '../../config/schema.js'
import { settingsText, TEMPLATES, type Choice } from './settings-text.js'

const CHOICE: Choice = { template: 'converge', agent: null, gates: [], perhaps: [], schema: 'x.json', hasSource: false, files: null }

function read(choice: Partial<Choice>): unknown {
  const { value, faults } = parseSettings(settingsText({ ...CHOICE, ...choice }))
  const checked = checkSettings(value)
  return faults.length > 0 ? faults : 'layer' in checked ? checked.layer : checked.faults
}

describe('the settings that init writes', () => {
  it.each(TEMPLATES)('for %s are taken as they stand, and fit a narrow terminal', (template) => {
    const gates = [{ run: 'npm test', from: 'package.json, scripts.test' }]
    for (const choice of [{ template }, { template, gates, agent: 'claude', hasSource: true }, { template, files: { task: 'task.md', philosophy: 'philosophy.md' } }]) {
      expect(read(choice)).toMatchObject({ procedure: template })
      expect(settingsText({ ...CHOICE, ...choice }).split('\n').filter((line) => line.length > 80)).toEqual([])
    }
  })

  it.each(['npm test', 'a: b', '# not a comment', '- x', '{ a }', "it's", '"quoted"', 'true', '12', 'a #b', 'x\ny: z', '\u001b[31m', '*x', '&x', '!x', 'a ', 'é', '@x', '%x', '`x`', 'null', 'a, b'])('hold %j exactly, wherever it stands', (text) => {
    const found = { run: text, from: `somewhere\nagent: evil ${text}`, cwd: 'web app', report: text }
    const perhaps = [{ name: 'lint', found }]
    expect(read({ gates: [found], perhaps, agent: 'me' })).toEqual({ procedure: 'converge', agent: 'me', gates: [{ name: 'test', run: text, cwd: 'web app', report: { path: text, format: 'junit' } }] })
    const uncommented = settingsText({ ...CHOICE, gates: [found], perhaps }).replaceAll(/^ {2}# - /gm, '  - ')
    expect(parseSettings(uncommented).value).toMatchObject({ gates: [{}, { name: 'lint', run: text }] })
  })

  it('give every gate a name of its own', () => {
    const gates = ['a b', 'a-b', ''].map((cwd) => ({ run: 'x', from: 'y', ...(cwd !== '' && { cwd }) }))
    expect(read({ gates })).toMatchObject({ gates: [{ name: 'test-a-b' }, { name: 'test-a-b-2' }, { name: 'test-x' }] })
  })
})
