// How a script of ours is told what to do, and what it answers to words that it does not know.
import { parseArgs } from 'node:util'

/**
 * `flags` by name: `says`, what it is for; `value`, the word for what it takes, and `otherwise`, what that is when it is not typed.
 * `--help` tells them and ends well; whatever is not among them is one line, and the end with 2.
 */
export function readOptions(command, flags) {
  const typed = Object.entries(flags).map(([name, { value, otherwise }]) => [name, value ? { type: 'string', default: otherwise } : { type: 'boolean', default: false }])
  const usage = usageOf(command, flags)
  try {
    const { values: { help, ...values } } = parseArgs({ options: { ...Object.fromEntries(typed), help: { type: 'boolean', default: false } } })
    if (!help) return values
  } catch (error) {
    refuse(`${error.message.split('. ')[0]}\n${usage}`)
  }
  console.log(usage)
  process.exit(0)
}

/** A whole number that was typed for a flag. */
export function wholeNumber(options, name) {
  const number = Number(options[name])
  if (options[name] === '' || !Number.isSafeInteger(number) || number < 0) refuse(`--${name}: expected a whole number, found ${options[name]}`)
  return number
}

/** The names that were typed with commas between them, or all there are. */
export function someOf(options, name, all) {
  const wanted = options[name]?.split(',') ?? all
  const unknown = wanted.filter((one) => !all.includes(one))
  if (unknown.length > 0) refuse(`--${name}: there is no ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return wanted
}

export function refuse(text) {
  console.error(text)
  process.exit(2)
}

function usageOf(command, flags) {
  const rows = Object.entries({ ...flags, help: { says: 'tells this' } }).map(([name, { value, says }]) => [`--${name}${value ? ` ${value}` : ''}`, says])
  const width = Math.max(...rows.map(([flag]) => flag.length))
  return [`usage: npm run ${command} -- [flags]`, ...rows.map(([flag, says]) => `  ${flag.padEnd(width)}  ${says}`)].join('\n')
}
