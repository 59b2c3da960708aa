import { describe, expect, it } from 'vitest'
import { programsIn } from './programs.js'

describe('the programs of a command', () => {
  it.each<[string | string[], string[]]>([
    ['npm test', ['npm']],
    [['./run', 'a && b'], ['./run']],
    ['CI=true X=1 npm run test', ['npm']],
    ['npm run build && npx vitest run', ['npm', 'npx']],
    ['test -f x || exit 1', []],
    ['cd web && ./run && npm test', ['npm']],
    ['./gradlew test', ['./gradlew']],
    ['cat x | grep y; "my prog" z', ['cat', 'grep']],
    ['env pytest -q', ['pytest']],
    ['env A=1 pytest', ['env']],
    ['$RUNNER test', []],
    ['! grep -q x y', []],
    ['echo "unclosed', []],
    ['A=1', []],
    ['', []],
  ])('%j are %j', (run, programs) => {
    expect(programsIn(run)).toEqual(programs)
  })
})
