// A project in Go. What panics or cannot be built stands in a package of its own, since it ends all tests of its package.
import { inOrder } from './conditions.mjs'
import { readPlanted } from './planted.mjs'

export const FAMILIES = readPlanted('golang')

const PACKAGES = ['crypto/rand', 'crypto/sha256', 'encoding/json', 'errors', 'fmt', 'net', 'os', 'path/filepath', 'time']

function importsOf(text) {
  const used = PACKAGES.filter((name) => text.includes(`${name.split('/').at(-1)}.`))
  return used.map((name) => `import "${name}"\n`).join('')
}

const title = (name) => name[0].toUpperCase() + name.slice(1)

function packageOf(name, members, faultOf, condition) {
  const lib = members.map(([family, { part }]) => part('lib', faultOf(family), condition)).join('\n\n')
  const test = ([family, { part }]) => `func Test${title(family)}(t *testing.T) {\n\t${part('test', faultOf(family))}\n}`
  const tests = members.map(test).join('\n\n')
  return {
    [`${name}/${name}.go`]: `package ${name}\n\n${importsOf(lib)}\n${lib}\n`,
    [`${name}/${name}_test.go`]: `package ${name}\n\n${importsOf(tests)}import "testing"\n\n${tests}\n`,
  }
}

function files(faultOf, condition) {
  const families = inOrder(condition, FAMILIES)
  const isAlone = ([, { part }]) => part('alone') !== undefined
  const alone = families.filter(isAlone).map(([name, family]) => packageOf(name, [[name, family]], faultOf, condition))
  const rest = packageOf('shop', families.filter((entry) => !isAlone(entry)), faultOf, condition)
  return Object.assign({ 'go.mod': 'module example.com/shop\n\ngo 1.19\n' }, rest, ...alone)
}

function suffixOf(name) {
  const { part } = FAMILIES[name]
  return part('alone') === 'broken' ? name : `::Test${title(name)}${part('suffix') ?? ''}`
}

const command = () => ['go', 'test', '-json', '-count=1', '-timeout=3s', './...']

export const PROJECTS = [{ runner: 'go', format: 'go', ending: 'jsonl', output: 'stdout', files, command, suffixOf }]
