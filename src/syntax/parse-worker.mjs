// Parses one source after another in a thread of its own, where a hostile one can cost no more than this thread.
// Plain JavaScript, so that it runs from the sources too. What goes in and out is typed in `parser.ts`.
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Language, Parser } from 'web-tree-sitter'

const MOST_ROWS = 200_000
const NUMBERS_IN_ROW = 5
const DEEPEST = 60
const DEEPEST_WHOLE = 400
/** The number that the type of every unreadable stretch has. */
const ERROR_TYPE = 65_535
const MOST_ERROR_STEPS = 5_000
const PAGES_OF_64_KIB = { initial: 512, maximum: 4096 }

await Parser.init({
  wasmBinary: readFileSync(workerData.runtime),
  wasmMemory: new WebAssembly.Memory(PAGES_OF_64_KIB),
  print: () => {},
  printErr: () => {},
})
const parser = new Parser()
const languages = new Map()
const shapes = new Map()
// Without any waiting, so that answers come in the order of the requests.
parentPort.on('message', (request) => {
  const answer = answerTo(request)
  parentPort.postMessage(answer, answer.kind === 'parsed' ? [answer.rows.buffer] : [])
})
parentPort.postMessage({ kind: 'ready' }, [])

function answerTo({ grammar, file, open, text, limitMilliseconds }) {
  const key = `${grammar} ${open === 'everything'}`
  try {
    if (!languages.has(grammar)) languages.set(grammar, Language.loadSync(new WebAssembly.Module(readFileSync(file))))
    if (!shapes.has(key)) shapes.set(key, shapeOf(languages.get(grammar), open))
  } catch (error) {
    return { kind: 'broken', why: `the grammar of ${grammar} cannot be loaded: ${error.message}` }
  }
  return parse(shapes.get(key), text, limitMilliseconds)
}

/** What is asked of every node, by the number of its type: each question to the tree itself is a slow call. */
function shapeOf(language, open) {
  const ids = Array.from({ length: language.nodeTypeCount }, (_, id) => id)
  const whole = open === 'everything'
  const types = new Map(ids.filter((id) => whole || language.nodeTypeIsNamed(id)).map((id) => [id, language.nodeTypeForId(id)]))
  types.set(ERROR_TYPE, 'ERROR')
  const opened = new Map([...types].map(([id, type]) => [id, whole ? 'all' : open[type]]))
  return { language, types, open: opened, deepest: whole ? DEEPEST_WHOLE : DEEPEST, bodyField: language.fieldIdForName('body') }
}

function parse(shape, text, limitMilliseconds) {
  parser.setLanguage(shape.language)
  const began = process.cpuUsage()
  const tree = parser.parse(text, null, { progressCallback: () => millisecondsSince(began) > limitMilliseconds })
  if (!tree) {
    parser.reset()
    return { kind: 'given-up' }
  }
  try {
    return { kind: 'parsed', ...tableOf(tree, shape), errors: countErrors(tree) }
  } finally {
    tree.delete()
  }
}

function millisecondsSince(began) {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}

/** The named nodes that an outline is made from, five numbers each: type, field, row of the parent, start, end. */
function tableOf(tree, shape) {
  const names = new Map()
  const rows = []
  const parents = [{ row: -1, opened: 'all' }]
  const cursor = tree.walk()
  do {
    const parent = parents.at(-1)
    const opened = addRow(cursor, shape, parent, names, rows)
    if (opened && parents.length < shape.deepest && cursor.gotoFirstChild()) parents.push({ row: rows.length / NUMBERS_IN_ROW - 1, opened })
    else if (!goOn(cursor, parents)) break
  } while (rows.length < MOST_ROWS * NUMBERS_IN_ROW)
  cursor.delete()
  return { names: [...names.keys()], rows: Int32Array.from(rows) }
}

/** Returns how far to look inside: `all` opens every child as its own type says, `head` all but the body. */
function addRow(cursor, { language, types, open, bodyField }, parent, names, rows) {
  const id = cursor.nodeTypeId
  const type = types.get(id)
  if (type === undefined) return undefined
  const field = cursor.currentFieldId
  const fieldName = field === 0 ? '' : language.fields[field]
  rows.push(indexOf(names, type), indexOf(names, fieldName), parent.row, cursor.startIndex, cursor.endIndex)
  return parent.opened === 'head' && field === bodyField ? undefined : open.get(id)
}

function indexOf(names, name) {
  const known = names.get(name)
  if (known !== undefined) return known
  names.set(name, names.size)
  return names.size - 1
}

function goOn(cursor, parents) {
  while (!cursor.gotoNextSibling()) {
    if (!cursor.gotoParent()) return false
    parents.pop()
  }
  return true
}

/** Errors and missing nodes; in a source that is full of them, those that a bounded walk meets. */
function countErrors(tree) {
  if (!tree.rootNode.hasError) return 0
  const cursor = tree.walk()
  const parents = []
  let errors = 0
  for (let steps = 0; steps < MOST_ERROR_STEPS; steps++) {
    const node = cursor.currentNode
    if (node.isError || node.isMissing) errors++
    if (!(node.hasError && cursor.gotoFirstChild()) && !goOn(cursor, parents)) break
  }
  cursor.delete()
  return errors
}
