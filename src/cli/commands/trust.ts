// `trust`: what the files of this repository would run, and whether they may; `trust grant` says that they may.
import { changedParts } from '../../config/executable.js'
import { dropGrants } from '../../config/trust-store.js'
import { EXIT, Refusal } from '../../errors.js'
import { ask } from '../ask.js'
import { refuseAgents } from '../at-rest.js'
import { openContext, type Context } from '../context.js'
import { didYouMean } from '../meant.js'
import type { Call } from '../program.js'
import { grant, standingOf, storePlace, type Standing, type TrustFlags } from '../trust.js'
import { partLines } from '../trust-text.js'

const VERBS = ['show', 'grant', 'revoke']

export default async function trust({ args: [verb = 'show', ...rest], flags }: Call<TrustFlags>): Promise<number> {
  if (!VERBS.includes(verb) || rest.length > 0) {
    throw new Refusal(EXIT.usage, `there is no "trust ${[verb, ...rest].join(' ')}"${didYouMean(verb, VERBS)}`, 'greenlatch trust show')
  }
  if (verb !== 'show') refuseAgents('say what is trusted')
  const context = await openContext(flags)
  const standing = standingOf(context.config, flags)
  if (verb === 'revoke') return revoke(context)
  if (!standing) return nothing(context)
  return verb === 'show' ? show(context, standing) : grantIt(context, standing, flags)
}

function nothing({ config, output }: Context): number {
  if (output.format !== 'text') output.json({ root: config.root, hash: null, trusted: true, files: [], parts: {}, changed: [] })
  else output.data('no file of this repository would run, send or permit anything: nothing needs trust')
  return 0
}

function show({ config, output }: Context, { executable, by, grants }: Standing): number {
  const { hash, shown: parts, names } = executable
  if (output.format !== 'text') {
    output.json({ root: config.root, hash, trusted: by !== null, by, files: names, parts, changed: grants.parts === null ? [] : changedParts(grants.parts, parts) })
    return 0
  }
  for (const line of partLines(executable, grants.hashes[0] === hash ? null : grants.parts)) output.data(line)
  output.data(`\nhash     ${hash}`)
  output.data(`trusted  ${by === null ? 'no; to trust it: greenlatch trust grant, or --trust <hash> and GREENLATCH_TRUST where nobody can be asked' : `yes, by ${by}`}`)
  return 0
}

async function grantIt(context: Context, standing: Standing, flags: TrustFlags): Promise<number> {
  const { output, config } = context
  const { executable, grants } = standing
  const isKnown = grants.hashes.includes(executable.hash)
  if (!isKnown) {
    output.say(`${executable.names.join(' and ')} in ${config.root} would run, send or permit:\n${partLines(executable, grants.parts).map((line) => `  ${line}`).join('\n')}`)
    if (flags.trust && !flags.trust.includes(executable.hash)) throw new Refusal(EXIT.guard, '--trust names another state than the one that is here', 'greenlatch trust show')
    if (!context.yes && !flags.trust) await confirm(context)
  }
  grant(config)
  if (output.format === 'text') output.data(`trusted  ${executable.hash}`)
  else output.json({ root: config.root, hash: executable.hash, trusted: true })
  return 0
}

async function confirm({ mayAsk }: Context): Promise<void> {
  if (!mayAsk) throw new Refusal(EXIT.guard, 'nobody can be asked whether this is trusted', 'greenlatch trust grant --yes')
  if (/^y/i.test((await ask('Trust this, here and until it changes? [y/N] ')) ?? '')) return
  throw new Refusal(EXIT.cancelled, 'nothing was trusted', 'greenlatch trust show')
}

function revoke({ config, output }: Context): number {
  dropGrants(config.root, storePlace())
  if (output.format === 'text') output.data(`nothing of ${config.root} is trusted any more`)
  else output.json({ root: config.root, trusted: false })
  return 0
}
