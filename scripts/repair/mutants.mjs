// Mutants of a seed: programs spoilt by rules, in an order that the seed alone decides, kept when the tests see them as a bug should be seen.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedLines, layOut } from './corpus.mjs'
import { openKept, placeOf } from './kept.mjs'
import { LINE_RULES } from './line-rules.mjs'
import { runTests } from './run-tests.mjs'
import { surroundings, TOKEN_RULES } from './token-rules.mjs'
import { tokensOf } from './tokens.mjs'

/** A program that hardly any mutant of can be kept is given up. */
const MOST_TRIALS = 40

/** Everything the rules make of a program, by rule. */
function allMutants(program) {
  const found = {}
  for (const file of program.files) {
    const source = readFileSync(join(program.folder, file), 'utf8')
    const lines = source.split('\n')
    const around = surroundings(lines)
    const take = (rule, made) => {
      const kept = made
        .filter((text) => text !== source)
        .map((text) => ({ file, rule, source: text, lines: changedLines(lines, text.split('\n')) }))
      found[rule] = [...(found[rule] ?? []), ...kept]
    }
    for (const [rule, make] of Object.entries(LINE_RULES)) take(rule, make(lines, program).map((made) => made.join('\n')))
    for (const [rule, make] of Object.entries(TOKEN_RULES)) {
      take(
        rule,
        lines.flatMap((line, at) =>
          isCode(line) ? make({ line, at, lines, around, tokens: tokensOf(line) }).map((made) => lines.with(at, made).join('\n')) : [],
        ),
      )
    }
  }
  return found
}

function isCode(line) {
  return !/^\s*(import|from|\/\/|\/\*|#|""")/.test(line)
}

/** So many of one program: rule by rule in an order drawn from the seed, one of each before a second of any. */
function drawn(program, seed) {
  const random = randomFrom(`${seed} ${program.language}/${program.name}`)
  const byRule = Object.entries(allMutants(program)).filter(([, mutants]) => mutants.length > 0)
  const order = shuffled(byRule, random).map(([, mutants]) => shuffled(mutants, random))
  const longest = Math.max(...order.map(({ length }) => length))
  const texts = new Set()
  return Array.from({ length: longest }, (_, round) => order.flatMap((mutants) => mutants[round] ?? []))
    .flat()
    .filter(({ file, source }) => {
      const key = `${file}\n${source}`
      return !texts.has(key) && texts.add(key)
    })
}

/** Those of the drawn ones that parse, end, fail some visible tests but not all, and fail hidden ones. */
export async function keptMutants(program, seed, count) {
  const kept = []
  for (const mutant of drawn(program, seed).slice(0, MOST_TRIALS)) {
    if (kept.length === count) break
    if (await openKept(placeOf(program, mutant)).once('is a bug', () => isBug(program, mutant)))
      kept.push({ ...mutant, id: `${program.name}/seed-${seed}-${kept.length + 1}`, program, origin: 'mutant', kind: mutant.rule })
  }
  return kept
}

async function isBug(program, mutant) {
  const copy = layOut(program, mutant)
  try {
    const visible = await runTests(program, copy.folder, program.tests)
    if (!visible.ended || visible.passed === 0 || visible.passed === visible.total) return false
    copy.hidden()
    const hidden = await runTests(program, copy.folder, 'hidden')
    return hidden.ended && hidden.passed > 0 && hidden.passed < hidden.total
  } finally {
    copy.remove()
  }
}

function shuffled(items, random) {
  const result = [...items]
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[result[at], result[other]] = [result[other], result[at]]
  }
  return result
}

/** Numbers from 0 to 1 that depend on the text alone. */
function randomFrom(text) {
  let state = 2166136261
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
