import { describe, expect, it } from 'vitest'
import { faceOf, meansOf, notesOf, type FaceFlags, type Surroundings } from './face.js'

const HERE: Surroundings = { terminals: { stdin: true, stdout: true, stderr: true }, columns: 80, rows: 24, env: { TERM: 'xterm-256color', LANG: 'C.UTF-8' } }
const piped = (name: 'stdin' | 'stdout' | 'stderr'): Surroundings => ({ ...HERE, terminals: { ...HERE.terminals, [name]: false } })
const within = (env: Record<string, string>): Surroundings => ({ ...HERE, env: { ...HERE.env, ...env } })

describe('how progress is shown', () => {
  it.each<[string, FaceFlags, Surroundings, string]>([
    ['live in a terminal', {}, HERE, 'live'],
    ['live also where the result goes elsewhere', {}, piped('stdout'), 'live'],
    ['a stream where standard error goes elsewhere', {}, piped('stderr'), 'stream'],
    ['a stream where no key can be heard', {}, piped('stdin'), 'stream'],
    ['a stream on a dumb terminal', {}, within({ TERM: 'dumb' }), 'stream'],
    ['a stream on a terminal of which nothing is known', {}, within({ TERM: '' }), 'stream'],
    ['a stream in CI', {}, within({ CI: 'true' }), 'stream'],
    ['a stream in a build at GitHub', {}, within({ GITHUB_ACTIONS: 'true' }), 'stream'],
    ['live where CI is said not to be', {}, within({ CI: 'false' }), 'live'],
    ['live in CI where it is asked for', { ui: 'live' }, within({ CI: 'true' }), 'live'],
    ['a stream in a window that is too small', {}, { ...HERE, columns: 39 }, 'stream'],
    ['a stream where it is asked for', { ui: 'stream' }, HERE, 'stream'],
    ['in sentences where it is to be accessible', { accessible: true }, HERE, 'plain'],
    ['in sentences where it is to be plain', { ui: 'plain' }, HERE, 'plain'],
    ['not at all where it is to be quiet', { quiet: true, ui: 'live' }, HERE, 'none'],
  ])('is %s', (_, flags, at, face) => {
    expect(faceOf(flags, at, 'text')).toBe(face)
  })

  it('is a stream where records go to the same terminal', () => {
    expect([faceOf({}, HERE, 'jsonl'), faceOf({}, piped('stdout'), 'jsonl')]).toEqual(['stream', 'live'])
  })

  it('is refused where a screen is asked for and cannot be had', () => {
    expect(() => faceOf({ ui: 'live' }, piped('stderr'), 'text')).toThrow('--ui live: standard input and standard error have to be a terminal')
    expect(() => faceOf({ ui: 'live' }, { ...HERE, rows: 11 }, 'text')).toThrow('80 columns and 11 rows')
  })
})

describe('what a terminal can show', () => {
  it.each<[FaceFlags, Record<string, string>, boolean]>([
    [{}, {}, true],
    [{}, { NO_COLOR: '1' }, false],
    [{}, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [{ color: false }, { FORCE_COLOR: '1' }, false],
    [{}, { NO_COLOR: '' }, true],
    [{}, { FORCE_COLOR: '0' }, false],
    [{}, { TERM: 'dumb' }, false],
    [{}, { TERM: 'dumb', FORCE_COLOR: '1' }, true],
  ])('with %j and %j has colour: %j', (flags, env, colour) => {
    expect(meansOf(flags, within(env)).colour).toBe(colour)
  })

  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ LC_ALL: 'C' }, false],
    [{ LC_ALL: '', LC_CTYPE: 'de_DE.utf8', LANG: 'C' }, true],
    [{ LANG: '' }, false],
    [{ TERM: 'linux' }, false],
  ])('with %j has signs beyond ASCII: %j', (env, unicode) => {
    expect(meansOf({}, within(env)).unicode).toBe(unicode)
  })
})

describe('notes to the desktop', () => {
  it.each<[Record<string, string>, ReturnType<typeof notesOf>]>([
    [{}, { note: null, progress: false }],
    [{ TERM_PROGRAM: 'iTerm.app' }, { note: 'OSC 9', progress: false }],
    [{ TERM_PROGRAM: 'ghostty' }, { note: 'OSC 9', progress: true }],
    [{ TERM: 'foot' }, { note: 'OSC 777', progress: false }],
    [{ VTE_VERSION: '8001' }, { note: 'OSC 777', progress: true }],
    [{ WT_SESSION: 'x' }, { note: null, progress: true }],
    [{ TERM_PROGRAM: 'ghostty', TMUX: '/tmp/x' }, { note: null, progress: false }],
  ])('with %j go as %j', (env, ways) => {
    expect(notesOf(within(env))).toEqual(ways)
  })
})
