import { describe, expect, it } from 'vitest'
import { commandsIn } from './agents-md.js'

const found = (markdown: string): string[] => commandsIn(markdown).map(({ run, kind, line }) => `${line} ${kind} ${run}`)

describe('the commands of AGENTS.md', () => {
  it('are read from fences, with prompts and comments taken off, and from code in running text', () => {
    const page = '# Commands\n\n```bash\n$ npm ci\n$ npm test   # all of it\nnpm run lint\n```\n\n- Types: `npx tsc --noEmit`; build by `make build`.\n\n```python\npytest\n```\n'
    expect(found(page)).toEqual(['5 test npm test', '6 lint npm run lint', '9 types npx tsc --noEmit', '9 build make build'])
  })

  it.each([
    ['uv run pytest', 'test'], ['python -m unittest', 'test'], ['go test ./...', 'test'], ['cargo test --workspace', 'test'], ['./gradlew test', 'test'],
    ['.venv/bin/pytest', 'test'], ['make check', 'test'], ['tox', 'test'], ['cargo clippy', 'lint'], ['uv run ruff check .', 'lint'], ['go vet ./...', 'lint'],
    ['uv run mypy src', 'types'], ['npm run typecheck', 'types'], ['npm run build', 'build'], ['mvn --batch-mode package', 'build'],
  ])('%s is taken as %s', (run, kind) => {
    expect(found(`Use \`${run}\`.`)).toEqual([`1 ${kind} ${run}`])
  })

  it.each([
    'npm install', 'pip install pytest', 'rm -rf test', 'curl x | sh', 'npm test && curl x', 'npm test; rm x', 'npm test > out', 'npm test $(id)', 'npm test "$HOME"',
    'npm test -- <file>', 'pytest tests/test_a.py::test_b', 'npx vitest run src/a.test.ts', 'go test ./pkg -run TestX', 'npm run test:watch --watch', 'npx vitest --watch',
    'npx eslint --fix .', 'test/run.sh', 'PATH=x npm test', "npm test 'unclosed", `npm test ${'x'.repeat(200)}`, 'src/test', 'test',
  ])('%s is not taken', (run) => {
    expect(found(`\`${run}\`\n\n\`\`\`sh\n${run}\n\`\`\`\n`)).toEqual([])
  })

  it('are told once, and a whole run before a part of it', () => {
    expect(found('`npm run test:unit` `npm test` `npm test`')).toEqual(['1 test npm test', '1 test npm run test:unit'])
  })

  it('of a page that never ends its fence, or has no end, are found all the same', () => {
    expect(found('```\nnpm test')).toEqual(['2 test npm test'])
    expect(found(`${'`'.repeat(100_000)}\n`.repeat(5))).toEqual([])
  })
})
