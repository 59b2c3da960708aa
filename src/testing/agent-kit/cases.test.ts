// Proves that the kit bites: an adapter with one thing wrong fails the case that is about it, and is told what does not hold.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandAgent } from '../../adapters/agents/command.js'
import type { Agent, Answer, AskRequest } from '../../ports.js'
import { agentKit } from './cases.js'
import { plainSpeech, type Speech } from './speech.js'
import type { AgentKitOptions, KitPlace } from './trial.js'
import { noSandbox } from '../../adapters/sandbox/none.js'

const sound = ({ stub, cwd, secret }: KitPlace): Agent => commandAgent({ sandbox: noSandbox(), name: 'sound', argv: [stub.program], cwd, env: { KEY: secret } })

type Ask = (request: AskRequest, signal: AbortSignal, place: KitPlace) => ReturnType<Agent['ask']>

/** The sound adapter, asked in another way. */
const asking = (ask: Ask): AgentKitOptions['make'] => (place) => ({ ...sound(place), ask: (request, signal) => ask(request, signal, place) })

const answering = (change: (answer: Answer, place: KitPlace) => Partial<Answer>): AgentKitOptions['make'] => {
  return asking(async (request, signal, place) => {
    const answer = (await sound(place).ask(request, signal)) as Answer
    return { ...answer, ...change(answer, place) }
  })
}

/** What many begin with: the prompt as an argument, everything handed on, nothing ended, and perhaps the input left open. */
const naive = (input: 'ended' | 'open'): AgentKitOptions['make'] => asking(({ prompt, cwd }, _signal, { stub, secret }) => {
  const child = spawn(stub.program, [prompt.slice(0, 1000), `--key=${secret}`], { cwd })
  if (input === 'ended') child.stdin.end()
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return new Promise((answered) => child.once('close', (code) => answered({ ending: code === 0 ? 'done' : 'failed', note: `exit ${code}`, text, files: [], spent: { seconds: 0, tokens: 0, usd: 0 } })))
})

/** It ends with exit status 0 whatever happened, as some agents do. */
const recorded: Speech = { ...plainSpeech, evidence: 'record', fails: (why) => ({ out: [why], exit: 0 }) }

const failureOf = async (title: string, options: AgentKitOptions<never>): Promise<string> => {
  const found = agentKit(options).find(({ name }) => name.startsWith(`${title}:`))
  if (!found) throw new Error(`there is no case ${title}`)
  return found.run().then(() => 'passed', (error: unknown) => String(error))
}

describe('the kit', () => {
  it.concurrent.each<[string, string, AgentKitOptions['make'], string]>([
    ['throws', 'success', asking(() => Promise.reject(new Error('no'))), 'ask() threw, where it must answer: Error: no'],
    ['has no answer yet', 'success', asking(() => Promise.resolve(undefined)), 'answered "not yet", which only a person may'],
    ['tells in two lines', 'success', answering(() => ({ note: 'one\ntwo' })), 'not one short line'],
    ['hands terminal codes on', 'garbage', answering(() => ({ text: '\u001b[2J' })), 'terminal codes'],
    ['hands on whatever comes', 'flood', answering(() => ({ text: 'x'.repeat(9_000_000) })), 'has to be bounded'],
    ['names files that are not there', 'success', answering(() => ({ files: ['/no/such/file'] })), 'is not there'],
    ['counts tokens twice', 'success', answering(() => ({ usage: { input: 1, cachedInput: 1, output: 1, usd: null, model: null }, spent: { seconds: 1, tokens: 9, usd: 0 } })), 'spent.tokens is 9, while usage comes to 3'],
    ['says nothing of what was said', 'success', answering(() => ({ text: '' })), 'not what the agent said'],
    ['lets its secret out', 'success', answering((answer, { secret }) => ({ note: `exit 0 with ${secret}`, text: answer.text })), 'its secret comes out'],
    ['calls a failure done', 'error', answering(() => ({ ending: 'done' })), 'it ended as "done"'],
    ['calls a limit a failure', 'limit', answering(() => ({ ending: 'failed' })), 'where "unavailable" is owed'],
    ['forgets when the limit is over', 'reset', answering(() => ({ until: 1 })), 's away from what the agent said'],
    ['calls an interrupt a failure', 'interrupt', answering(() => ({ ending: 'failed' })), 'where "aborted" is owed'],
    ['writes beside the work', 'no change', asking((request, signal, place) => (writeFileSync(join(place.cwd, 'log.txt'), ''), sound(place).ask(request, signal))), 'log.txt'],
    ['starts what was given up', 'interrupt before the start', asking((request, _signal, place) => sound(place).ask(request, new AbortController().signal)), 'it ended as "done"'],
    ['works elsewhere', 'success', asking((request, signal, place) => sound(place).ask({ ...request, cwd: place.folder }, signal)), 'not in the folder it was told to work in'],
    ['cuts the prompt short', 'stdin', asking((request, signal, place) => sound(place).ask({ ...request, prompt: request.prompt.slice(0, 9) }, signal)), 'characters 9 came'],
    ['leaves the input open', 'stdin', naive('open'), 'standard input was left open'],
    ['hands everything on', 'environment', naive('ended'), 'the agent finds'],
    ['shows the prompt', 'arguments', naive('ended'), 'the prompt is among its arguments'],
    ['leaves processes behind', 'orphan', naive('ended'), 'is still running'],
    ['is ready without its program', 'missing', (place) => ({ ...sound(place), ready: () => Promise.resolve(null) }), 'ready() does not say'],
  ])('tells an adapter that %s, by the case %s', async (_, title, make, words) => {
    expect(await failureOf(title, { make })).toContain(words)
  })

  it('tells an adapter that believes an exit status where a closing record is owed', async () => {
    for (const title of ['error', 'garbage', 'partial record']) expect(await failureOf(title, { make: sound, speech: recorded })).toContain('it ended as "done"')
  })
})
