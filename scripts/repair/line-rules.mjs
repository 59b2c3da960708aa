// Ways to spoil a program line by line. Each takes the lines and gives changed lists of lines.
import { tokensOf } from './tokens.mjs'

const COMPOUND = /^(if|elif|else|for|while|do|switch|case|default|try|catch|except|finally|with|def|async|function|class|export|import|from|interface|type|return|throw|raise|@)\b|^[@}\])|&?:+*.'"`#/]/
const OPEN_END = /(?:[{([,:+*&|?=]|=>|\bof|\bin)\s*$/
const indentOf = (line) => line.length - line.trimStart().length

/** A statement that stands whole on its line. */
function isStatement(lines, at) {
  const line = lines[at]?.trim() ?? ''
  if (line === '' || COMPOUND.test(line) || OPEN_END.test(line) || !isBalanced(line)) return false
  const before = lines.slice(0, at).findLast((each) => each.trim() !== '')?.trim() ?? ''
  return !/[,(+*&|?=[]$/.test(before)
}

function isBalanced(line) {
  const tokens = tokensOf(line)
  const count = (signs) => tokens.filter(({ text }) => signs.includes(text)).length
  return count(['(', '[', '{']) === count([')', ']', '}'])
}

const isReturn = (line) => /^return\b/.test(line?.trim() ?? '') && isBalanced(line) && !OPEN_END.test(line)
const isDeclaration = (line) => /^(const|let|var|private|readonly)\b/.test(line.trim())

const places = (lines, is) => lines.flatMap((_, at) => (is(at) ? [at] : []))

function deletedStatement(lines, { language }) {
  const found = places(lines, (at) => isStatement(lines, at) && !isDeclaration(lines[at]))
  return found.map((at) => lines.with(at, language === 'python' ? `${' '.repeat(indentOf(lines[at]))}pass` : ''))
}

function swappedStatements(lines) {
  const found = places(
    lines,
    (at) =>
      isStatement(lines, at) &&
      isStatement(lines, at + 1) &&
      indentOf(lines[at]) === indentOf(lines[at + 1]) &&
      lines[at] !== lines[at + 1],
  )
  return found.map((at) => lines.toSpliced(at, 2, lines[at + 1], lines[at]))
}

function repeatedStatement(lines) {
  return places(lines, (at) => isStatement(lines, at) && !isDeclaration(lines[at])).map((at) => lines.toSpliced(at, 0, lines[at]))
}

/** The line above was copied and never changed. */
function copiedStatement(lines) {
  const found = places(
    lines,
    (at) =>
      isStatement(lines, at) && isStatement(lines, at - 1) && indentOf(lines[at]) === indentOf(lines[at - 1]) && !isDeclaration(lines[at]),
  )
  return found.map((at) => lines.with(at, lines[at - 1]))
}

/** Above the statement before it, or into the block that ends before it. */
function earlierReturn(lines) {
  const found = places(lines, (at) => isReturn(lines[at]) && (isStatement(lines, at - 1) || lines[at - 1]?.trim() === '}'))
  return found.map((at) => {
    const above = lines[at - 1]
    if (above.trim() === '}') return lines.toSpliced(at - 1, 2, `${' '.repeat(indentOf(above) + 2)}${lines[at].trim()}`, above)
    const moved = `${' '.repeat(indentOf(above))}${lines[at].trim()}`
    // In a deeper block it ends the block: the statement still runs.
    return indentOf(above) > indentOf(lines[at]) ? lines.with(at, moved) : lines.toSpliced(at - 1, 2, moved, above)
  })
}

/** `if` and `else` with one statement each. */
function exchangedBodies(lines) {
  const isElse = (at) => /^(\} else \{|else:)$/.test(lines[at]?.trim() ?? '')
  const found = places(
    lines,
    (at) =>
      isElse(at) && isStatement(lines, at - 1) && isStatement(lines, at + 1) && /^(if|\} else if|elif)\b/.test(lines[at - 2]?.trim() ?? ''),
  )
  return found.map((at) => lines.with(at - 1, lines[at + 1]).with(at + 1, lines[at - 1]))
}

export const LINE_RULES = {
  'deleted statement': deletedStatement,
  'swapped statements': swappedStatements,
  'repeated statement': repeatedStatement,
  'copied statement': copiedStatement,
  'earlier return': earlierReturn,
  'exchanged bodies': exchangedBodies,
}
