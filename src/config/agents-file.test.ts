// Tests of finding gates in AGENTS.md.
import { expect, it } from 'vitest'
import { blockIn } from './agents-file.js'

it('takes the block that says it is for greenlatch, with its lines where they are in the file.', () => {
  expect(blockIn('# A\n\n```yaml\ngates: no\n```\n\n```yaml greenlatch\ngates:\n  - x\n```\nmore')).toBe('\n\n\n\n\n\n\ngates:\n  - x')
  expect(blockIn('~~~~ yml greenlatch\r\na\r\n~~~\r\n~~~~\r\n')).toBe('\na\n~~~')
  expect(blockIn('# A\n```yaml\ngates: []\n```\nyaml greenlatch\n')).toBeNull()
})

it('refuses a block that does not end, and a second one.', () => {
  expect(() => blockIn('x\n```yaml greenlatch\ngates: []\n')).toThrow('AGENTS.md:2: the block for greenlatch is not closed')
  expect(() => blockIn('```yaml greenlatch\n```\n```yaml greenlatch\n```\n')).toThrow('AGENTS.md:3: a second block')
})
