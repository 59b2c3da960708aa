// Which files the scripts of a package run as programs, followed from the command of a gate: `npm test` is worth what they are.

const INTERPRETER = /^(?:node|nodejs|tsx|ts-node|bun|deno|python[\d.]*|pypy3?|sh|bash|dash|zsh|ruby|perl|php)$/
/** What runs scripts by name. */
const SCRIPT_RUNNER = /^(?:.*\/)?(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all2?|turbo|lerna|nx|wireit|concurrently|--run)$/
const SHELL = /^(?:sh|bash|dash|zsh)$/
/** After these the next word is a program too. */
const LOADS = /^(?:-r|--require|--import|--loader|--experimental-loader)$/
/** After these no file is run, or only tests are. */
const RUNS_NO_FILE = /^(?:-e|-c|-p|-m|--eval|--print|--check|--test|--run)$/
const MOST_TEXTS = 200

/** Relative to the folder of the package. A name that is no file does no harm. */
export function programsOf(command: string, scripts: Readonly<Record<string, string>>): string[] {
  const texts = [command]
  const known = new Set<string>()
  for (let at = 0; at < texts.length && at < MOST_TEXTS; at++) {
    for (const name of scriptsNamedIn(texts[at] ?? '', scripts)) {
      if (known.has(name)) continue
      known.add(name)
      texts.push(...[`pre${name}`, name, `post${name}`].flatMap((key) => scripts[key] ?? []))
    }
  }
  return [...new Set(texts.flatMap((text) => simpleCommands(text).flatMap(programsIn)))]
}

function scriptsNamedIn(text: string, scripts: Readonly<Record<string, string>>): string[] {
  const words = wordsOf(text)
  if (!words.some((word) => SCRIPT_RUNNER.test(word))) return []
  return words.map((word) => (word === 't' || word === 'tst' ? 'test' : word)).filter((word) => Object.hasOwn(scripts, word))
}

function simpleCommands(text: string): string[][] {
  return text.split(/&&|\|\||[;|&\n()]/).map(wordsOf)
}

function wordsOf(text: string): string[] {
  return text.replaceAll(/["'`\\]/g, ' ').split(/[\s&|;()]+/).filter((word) => word !== '')
}

function programsIn(words: readonly string[]): string[] {
  const first = words.find((word) => !/^\w+=/.test(word)) ?? ''
  const started = words.flatMap((word, at) => (INTERPRETER.test(word) ? programsAfter(word, words.slice(at + 1)) : []))
  return [...(first.includes('/') ? [first] : []), ...started].filter((path) => !path.startsWith('/')).map((path) => path.replace(/^(?:\.\/)+/, ''))
}

function programsAfter(interpreter: string, words: readonly string[]): string[] {
  const runsNoFile = SHELL.test(interpreter) ? /^-c$/ : RUNS_NO_FILE
  const loaded: string[] = []
  for (const [at, word] of words.entries()) {
    const [flag = '', value] = word.split('=', 2)
    if (LOADS.test(words[at - 1] ?? '')) loaded.push(word)
    else if (LOADS.test(flag) && value !== undefined) loaded.push(value)
    else if (runsNoFile.test(flag)) return loaded
    else if (!word.startsWith('-') && word !== 'run') return [...loaded, word]
  }
  return loaded
}
