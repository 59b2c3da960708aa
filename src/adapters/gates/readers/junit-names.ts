// What a case of JUnit XML is called: writers put file, class and name into different attributes.
import type { Twice } from './collect.js'
import { detached, remembered, type Names } from './names.js'

export type JunitCase = {
  name: string
  classname: string
  file: string
  suites: readonly string[]
  seconds: number | null
  isPytest: boolean
}

/** A `container` is a file or class that has a case of its own only when it could not be loaded or set up. */
export type Naming =
  | { kind: 'test'; id: string; file: string | null; twice: Twice }
  | { kind: 'container' | 'nameless'; subject: string }

const SOURCE_FILE = /^(?:\.{0,2}\/)?[^\s:]*\.(?:[cm]?[jt]sx?|py|rb|php|bats|t|sh|feature|dart|exs?|lua|pl)$/
/** What JUnit and Gradle call a class that cannot be set up. */
const CLASS_LEVEL = /^(?:initializationError|classMethod|executionError|unknown|)$/

export function createNaming(names: Names): (test: JunitCase) => Naming {
  const pytestPlace = lastPlace(remembered((key) => pytestPlaceOf(names, key)))
  return (test) => namingOf(names, pytestPlace, test)
}

type PytestPlace = { path: string; file: string }

/** The tests of a class follow each other. */
function lastPlace(placeOf: (key: string) => string): (classname: string, file: string) => PytestPlace {
  let last = { classname: '', file: '', place: { path: '', file: '' } }
  return (classname, file) => {
    if (last.classname === classname && last.file === file) return last.place
    const path = placeOf(`${classname}\n${file}`)
    const end = path.indexOf('::')
    last = { classname: detached(classname), file: detached(file), place: { path, file: end < 0 ? path : path.slice(0, end) } }
    return last.place
  }
}

function namingOf(names: Names, pytestPlace: ReturnType<typeof lastPlace>, test: JunitCase): Naming {
  if (test.name === '' && test.classname === '') return { kind: 'nameless', subject: test.suites.at(-1) ?? 'test run' }
  if (test.isPytest) return pytestNaming(names, pytestPlace, test)
  if (isNodeTest(test)) return nodeNaming(names, test)
  if (test.file === '' && !SOURCE_FILE.test(test.classname)) return classNaming(names, test)
  const file = names.file(test.file === '' ? test.classname : test.file)
  // vitest gives a file that it could not load a case of its own.
  if (test.name === test.classname && SOURCE_FILE.test(test.name)) return { kind: 'container', subject: file }
  const parts = namesFile(test.classname, file) || test.classname === test.name ? [test.name] : [test.classname, test.name]
  return { kind: 'test', id: names.id(file, parts.filter((part) => part !== '')), file, twice: 'another' }
}

/** Java, .NET, Go: a class and a method, of which there is one. */
function classNaming(names: Names, { classname, name }: JunitCase): Naming {
  if (name === classname && classname.includes('.') && !/\s/.test(classname)) return { kind: 'container', subject: classname }
  if (CLASS_LEVEL.test(name)) return { kind: 'container', subject: classname }
  const parts = classname === '' || classname === name ? [name] : [classname, name]
  const isPlainClass = /^[\w$.]+$/.test(classname)
  return { kind: 'test', id: names.id(null, parts), file: null, twice: isPlainClass ? 'again' : 'another' }
}

/** node:test nests suites and says `test` in place of a class. A file that has no case, or dies, is a case named by its path. */
function isNodeTest({ classname }: JunitCase): boolean {
  return classname === 'test' || classname === 'suite'
}

function nodeNaming(names: Names, { name, file, suites }: JunitCase): Naming {
  if (suites.length === 0 && name.startsWith('/') && SOURCE_FILE.test(name)) return { kind: 'container', subject: names.file(name) }
  const known = file === '' ? null : names.file(file)
  return { kind: 'test', id: names.id(known, [...suites, name]), file: known, twice: 'another' }
}

function pytestNaming(names: Names, placeOf: ReturnType<typeof lastPlace>, { classname, name, file }: JunitCase): Naming {
  if (classname === '') return { kind: 'container', subject: names.file(file === '' ? moduleFile(name) : file) }
  const place = placeOf(classname, file)
  return { kind: 'test', id: `${place.path}::${name}`, file: place.file, twice: 'again' }
}

/**
 * File and classes as in a node id. pytest joins folders, module and classes with dots. With the file at hand
 * (`junit_family=xunit1`) the rest are classes, unless the test is inherited and the file is where it was written; then, and
 * without a file, classes are what begins with a capital.
 */
function pytestPlaceOf(names: Names, key: string): string {
  const [classname = '', file = ''] = key.split('\n')
  const module = file.replace(/\.py$/, '').replaceAll('/', '.')
  if (file !== '' && (classname === module || classname.startsWith(`${module}.`))) {
    return [names.file(file), ...classname.slice(module.length).split('.').filter((part) => part !== '')].join('::')
  }
  const parts = classname.split('.')
  const first = parts.findIndex((part, at) => at > 0 && /^_*\p{Lu}/u.test(part))
  const cut = first < 0 ? parts.length : first
  return [names.file(moduleFile(parts.slice(0, cut).join('.'))), ...parts.slice(cut)].join('::')
}

function moduleFile(module: string): string {
  return `${module.replaceAll('.', '/')}.py`
}

/** Whether the class says no more than the file does, as in RSpec's `spec.cart_spec` for `spec/cart_spec.rb`. */
function namesFile(classname: string, file: string): boolean {
  const stem = (path: string): string => path.replace(/^\.\//, '').replace(/\.\w+$/, '').replaceAll('/', '.')
  return classname === '' || stem(classname) === stem(file) || classname === stem(file) || classname === file
}
