// Replies that are not as they should be, through the real agent and the real workspace: named, applied in no part, and nothing outside.
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startModelServer } from '../src/testing/model-server/index.js'
import { chatGround, type ChatGround } from './support/chat.js'

const ADD = 'export const add = (a, b) => a - b\n'
const FILES = { 'src/add.js': ADD, 'src/twice.js': 'one()\ntwo()\none()\n', 'README.md': 'a place\n' }

const file = (path: string, content = 'x\n'): string => `=== FILE ${path} ===\n${content}=== END ===\n`
const edit = (path: string, from: string, to = 'new()\n'): string => `=== EDIT ${path} ===\n<<<<<<< SEARCH\n${from}=======\n${to}>>>>>>> REPLACE\n=== END ===\n`
const patch = (path: string, hunks: string): string => `=== PATCH ${path} ===\n${hunks}=== END ===\n`
/** Would be taken on its own. */
const GOOD = file('src/good.js') + edit('src/add.js', ADD, ADD.replace('-', '+'))

const HOSTILE_PATHS = [
  '../outside.txt', 'a/../../outside.txt', '/tmp/greenlatch-outside', '/etc/passwd', 'C:/x', 'C:\\x', 'a\\..\\b', '.git/config', '.git/hooks/post-checkout', '.GIT/config',
  'src/.git/config', 'git~1/config', '.git./config', '.g\u200cit/config', 'src/', 'src//add.js', 'src/./add.js', 'src', 'link/x.txt', 'link', 'CON', 'nul.js', 'a\u0000b', 'a\u001b[2Jb', 'a:b', 'what?', 'name.',
  'README.md/below', `${'x'.repeat(300)}.js`, '~/x'.replace('~/', '../~/'),
]

/** Whole replies; each is wrong in one way. */
const TABLE: Record<string, string> = {
  ...Object.fromEntries(HOSTILE_PATHS.map((path) => [`a path that is refused: ${JSON.stringify(path)}`, GOOD + file(path)])),
  'a hostile path to delete': `${GOOD}=== DELETE ../outside.txt ===\n`,
  'a hostile path to change': GOOD + edit('../repo/README.md', 'a place\n'),
  'a file to delete that is not there': `${GOOD}=== DELETE src/none.js ===\n`,
  'no end': `${GOOD}=== FILE src/b.js ===\nx\n`,
  'no end before the next': `=== FILE src/b.js ===\nx\n${GOOD}`,
  'an end mark inside': `${GOOD}${file('src/b.js', 'x\n=== END ===\ny\n')}`,
  'text between blocks': `${file('src/b.js')}and now\n${GOOD}`,
  'a tag that never comes again': `${GOOD}=== FILE src/b.js :: t ===\nx\n=== END ===\n`,
  'a name of the form': GOOD + file('<path>'),
  'no name': GOOD + file('`  `'),
  'two that differ': GOOD + file('src/b.js', 'x\n') + file('src/b.js', 'y\n'),
  'whole and in parts': GOOD + file('src/add.js', 'x\n'),
  'written and deleted': `${GOOD}=== DELETE src/good.js ===\n`,
  'a file below another': GOOD + file('src/c') + file('src/c/d'),
  'too many': Array.from({ length: 501 }, (_, n) => file(`many/${n}`)).join(''),
  'a part that is nowhere': GOOD + edit('src/twice.js', 'three()\n'),
  'a part that is there twice': GOOD + edit('src/twice.js', 'one()\n'),
  'a part with other spaces': GOOD + edit('src/twice.js', '  two()\n'),
  'a part that never closes': `${GOOD}=== EDIT src/twice.js ===\n<<<<<<< SEARCH\ntwo()\n=======\nx\n=== END ===\n`,
  'a part with two dividers': GOOD + edit('src/twice.js', 'two()\n=======\n'),
  'a part of nothing in a file that is there': GOOD + edit('src/twice.js', '', 'x\n'),
  'an empty block of parts': `${GOOD}=== EDIT src/twice.js ===\n=== END ===\n`,
  'parts of a file that is not there': GOOD + edit('src/none.js', 'two()\n'),
  'words where parts should be': `${GOOD}=== EDIT src/twice.js ===\nreplace two by three\n=== END ===\n`,
  'a diff without hunks': GOOD + patch('src/twice.js', '--- a/src/twice.js\n+++ b/src/twice.js\n'),
  'a diff that fits nowhere': GOOD + patch('src/twice.js', '@@ -1,1 +1,1 @@\n-three()\n+four()\n'),
  'a diff that fits twice': GOOD + patch('src/twice.js', '@@\n-one()\n+four()\n'),
  'a diff of another file': GOOD + patch('src/twice.js', '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-a place\n+x\n'),
  'a diff with foreign lines': GOOD + patch('src/twice.js', '@@ -2 +2 @@\n-two()\n+four()\nthat is all\n'),
  'a diff that deletes': GOOD + patch('src/twice.js', '--- a/src/twice.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-one()\n'),
  'a loose diff that fits nowhere': '```diff\n--- a/src/add.js\n+++ b/src/add.js\n@@ -1 +1 @@\n-nothing\n+else\n```\n',
  'a loose diff that leads out': '```diff\n--- /dev/null\n+++ b/../../outside.txt\n@@ -0,0 +1 @@\n+x\n```\n',
  'a command that never closes': `${GOOD}=== COMMAND ===\nnode --version\n`,
  'line ends of another system, and no end': `${GOOD}=== FILE src/b.js ===\nx\n`.replaceAll('\n', '\r\n'),
  'reasoning inside a block that never ends': `${GOOD}=== FILE src/b.js ===\n<think>\nx\n`,
}

const MADE = 60

/** The same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A good reply of several blocks with one thing wrong with it, at a place of its own. */
function madeWrong(seed: number): [string, string] {
  const random = randomFrom(seed)
  const count = 2 + random(4)
  const blocks = Array.from({ length: count }, (_, n) => (random(3) === 0 && n === 0 ? edit('src/add.js', ADD, '1\n') : file(`src/made-${n}.js`, `${'line\n'.repeat(1 + random(6))}`)))
  const at = random(count)
  const block = blocks[at] ?? ''
  const inside = block.indexOf('\n') + 1
  const wrongs: [string, string][] = [
    ['cut off', block.slice(0, inside + random(block.length - inside - '=== END ===\n'.length))],
    ['without its end', block.replace('=== END ===\n', '')],
    ['with an end inside', `${block.slice(0, inside)}a\n=== END ===\n${block.slice(inside)}`],
    ['with another of its name', `${block}${file(/=== \w+ (\S+)/.exec(block)?.[1] ?? '', `other ${seed}\n`)}`],
    ['leading out', file(`${'../'.repeat(1 + random(5))}outside-${seed}.txt`)],
    ['changing what is not there', edit(`src/add.js`, `no such line ${seed}\n`)],
    ['followed by words', `${block}these words\n${file('src/last.js')}`],
  ]
  const [what, wrong] = wrongs[random(wrongs.length)] ?? ['', '']
  // What is cut off is the end of a reply; anything after it would be another fault.
  return [`${what} (seed ${seed})`, [...blocks.slice(0, at), wrong, ...(what === 'cut off' ? [] : blocks.slice(at + 1))].join('')]
}

async function scripted(): Promise<{ url: string; say(text: string): void }> {
  let text = ''
  const server = await startModelServer({ script: { client: 'chat', turns: () => ({ text }) } })
  onTestFinished(() => server.close())
  return { url: server.url, say: (next) => void (text = next) }
}

async function ground(): Promise<ChatGround> {
  const made = await chatGround({ ...FILES, '.gitignore': 'link\n' })
  symlinkSync('/tmp', join(made.cwd, 'link'))
  return made
}

describe('replies of a model', () => {
  it('IS-08 that are wrong in more than 100 ways are each named, and written in no part and nowhere', async () => {
    const replies = [...Object.entries(TABLE), ...Array.from({ length: MADE }, (_, n) => madeWrong(n + 1))]
    expect(replies.length).toBeGreaterThanOrEqual(100)
    const [near, model] = [await ground(), await scripted()]
    const [inside, outside] = [JSON.stringify(near.inside()), near.outside()]
    const wrong: unknown[] = []
    for (const [what, text] of replies) {
      model.say(text)
      const { report } = await near.ask(model.url)
      const named = report.verdict === 'error' && report.cause === 'reply' && /\S: \S/.test(report.note)
      if (!named || report.tree !== near.tree || JSON.stringify(near.inside()) !== inside) wrong.push([what, report.verdict, report.cause, report.note])
    }
    expect(wrong).toEqual([])
    expect(near.outside()).toEqual(outside)
  })

  it('IS-08 that are wrong again are left at that: a warning, nothing written, and the reason for the next prompt', async () => {
    const [near, model] = [await ground(), await scripted()]
    model.say(GOOD + file('../outside.txt'))
    const { report, warnings } = await near.ask(model.url, { retries: 1 })
    expect(report).toMatchObject({ verdict: 'pass', tree: near.tree })
    expect(warnings.join('\n')).toContain('not written: the path ../outside.txt is refused')
    expect(near.kept(report, 'refused')).toContain('it contains ..')
  })

  it('IS-08 that are right are written whole, and the reply is kept as it came', async () => {
    const [near, model] = [await ground(), await scripted()]
    const reply = `<think>\n${file('src/draft.js')}</think>\nHere.\n\n${GOOD}${patch('src/twice.js', '@@ -9,9 +9,9 @@\n one()\n-two()\n+three()\n')}=== DELETE README.md ===\n\nDone.`
    model.say(reply)
    const { report } = await near.ask(model.url)
    expect(report).toMatchObject({ verdict: 'pass', note: '' })
    expect(report.tree).not.toBe(near.tree)
    expect(['src/add.js', 'src/good.js', 'src/twice.js'].map((path) => readFileSync(join(near.cwd, path), 'utf8'))).toEqual([ADD.replace('-', '+'), 'x\n', 'one()\nthree()\none()\n'])
    expect(Object.keys(near.inside()).filter((path) => /draft|README/.test(path))).toEqual([])
    const kept = report.files.find(({ path }) => path.endsWith('-response.md'))
    expect(kept?.bytes).toBe(Buffer.byteLength(reply))
  })
})
