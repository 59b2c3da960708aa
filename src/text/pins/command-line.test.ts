// Tests of taking command lines apart.
import { describe, expect, it } from 'vitest'
import { commandsOf, joined } from './command-line.js'

describe('a command line', () => {
  it.each<[string, string[]]>([
    ['a b && c || d; e | f & g', ['.: a b', '.: c', '.: d', '.: e', '.: f', '.: g']],
    ['a "b c" \'d;e\' f\\ g # h; i\nj', ['.: a|b c|d;e|f g', '.: j']],
    ['a >out 2>&1 <in b 2> /dev/null', ['.: a b < in']],
    ['cd x/y && a; (cd ..; b) && c; cd "$HOME/z"; d', ['.: cd x/y', 'x/y: a', 'x/y: cd ..', 'x: b', 'x/y: c', 'x/y: cd $HOME/z', 'x/y/z: d']],
    ['if cd x; then a; fi', ['.: if cd x', 'x: then a', 'x: fi']],
    ['$(pwd)/a "$(b c)" \\\n d', ['.: $(pwd)/a|$(b c)|d']],
    ['a "b c', ['.: a|"b|c']],
    ['', []],
  ])('is taken apart as a shell does it: %j.', (text, expected) => {
    const said = commandsOf(text, '.').map(({ words, inputs, folder }) => {
      const blank = words.some((word) => /[ ;"]|^\$\(/.test(word)) ? '|' : ' '
      return `${folder}: ${words.join(blank)}${inputs.length > 0 ? ` < ${inputs.join(' ')}` : ''}`
    })
    expect(said).toEqual(expected)
  })

  it('is taken apart in time that does not explode with its length.', () => {
    const began = performance.now()
    for (const part of ['"', "'", '$(', '`', '\\', '(', '<', '#', 'a "', '2>']) commandsOf(part.repeat(20_000), '.')
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('a path', () => {
  it('is seen from the root, with a variable at its beginning for the folder, and is nothing outside.', () => {
    expect(['./b', '../b', '$PWD/b', '${X}/../b', '$(pwd)/b/.', '.'].map((path) => joined('a', path))).toEqual(['a/b', 'b', 'a/b', 'b', 'a/b', 'a'])
    expect(['../..', '/b', '~/b', '../../b'].map((path) => joined('a', path))).toEqual([null, null, null, null])
    expect(joined('.', '.')).toBe('.')
  })
})
