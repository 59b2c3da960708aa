// Proves that commands that are offered name the places that were typed, and that nothing else is changed by it.
import { afterEach, describe, expect, it } from 'vitest'
import { carryPlaces, typeable } from './carried.js'

afterEach(() => carryPlaces({}))

describe('a command that is offered', () => {
  it.each([
    ['  next: greenlatch resume s-1 --agent paste', '  next: greenlatch resume --state-dir /my/state s-1 --agent paste'],
    ['  go on:  greenlatch resume s-1\n  why:    greenlatch explain', '  go on:  greenlatch resume --state-dir /my/state s-1\n  why:    greenlatch explain --state-dir /my/state'],
    ['greenlatch reply s-1 --file <file> && greenlatch resume s-1', 'greenlatch reply --state-dir /my/state s-1 --file <file> && greenlatch resume --state-dir /my/state s-1'],
  ])('names the state folder that was typed: %j.', (text, carried) => {
    carryPlaces({ stateDir: '/my/state' })
    expect(typeable(text)).toBe(carried)
  })

  it.each(['greenlatch status --state-dir <folder>', 'greenlatch run x --state-dir=/my/state', 'greenlatch demo stall', 'greenlatch run --help', 'greenlatch 0.1.0 · demo', 'greenlatch: there is no session here yet'])('stays as it is where it says so itself, or looks for no session: %j.', (text) => {
    carryPlaces({ stateDir: '/my/state' })
    expect(typeable(text)).toBe(text)
  })

  it('names the folder and the settings that were typed, and each only where it means something.', () => {
    carryPlaces({ C: '../other', config: 'strict.yaml' })
    expect(typeable('greenlatch init\ngreenlatch resume s-1\ngreenlatch demo stall\ngreenlatch run -C x\ngreenlatch -C <folder>')).toBe(
      'greenlatch init -C ../other\ngreenlatch resume --config strict.yaml -C ../other s-1\ngreenlatch demo stall\ngreenlatch run --config strict.yaml -C x\ngreenlatch -C <folder>',
    )
  })

  it('has a folder with odd characters quoted, and none where none was typed.', () => {
    expect(typeable('greenlatch status')).toBe('greenlatch status')
    carryPlaces({ stateDir: "my folder/$1 it's" })
    expect(typeable('greenlatch status')).toBe(`greenlatch status --state-dir 'my folder/$1 it'\\''s'`)
  })
})
