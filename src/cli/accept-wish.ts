// What is asked of `accept`, read from its flags.
import { EXIT, Refusal } from '../errors.js'
import { branchFault } from './branch-name.js'

export type AcceptFlags = { squash?: boolean; merge?: boolean; branch?: string; message?: string; hooks?: boolean }

export type Wish = { kind: 'squash' | 'merge' | 'hooks' | 'branch'; branch: string; message?: string }

const NEXT = 'greenlatch accept --help'

export function wishOf({ squash, merge, branch, message, hooks }: AcceptFlags): Wish {
  if (message?.trim() === '') throw new Refusal(EXIT.usage, '--message: the text is empty', NEXT)
  if (message?.includes('\0')) throw new Refusal(EXIT.usage, '--message: the text holds a NUL', NEXT)
  const fault = branch === undefined ? null : branchFault(branch)
  if (fault !== null) throw new Refusal(EXIT.usage, `--branch: the name "${branch}" ${fault}`, 'greenlatch accept --branch <name>')
  const flags = Object.entries({ '--squash': squash, '--merge': merge, '--branch': branch })
  const given = flags.filter(([, value]) => value !== undefined).map(([name]) => name)
  const [one, other] = hooks && !squash ? [...given, '--hooks'] : given
  if (other !== undefined) throw new Refusal(EXIT.usage, `${one} and ${other} do not go together`, NEXT)
  const kind = merge ? 'merge' : branch !== undefined ? 'branch' : hooks ? 'hooks' : 'squash'
  return { kind, branch: branch ?? '', ...(message !== undefined && { message }) }
}
