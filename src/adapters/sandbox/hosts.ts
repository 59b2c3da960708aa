// Which addresses a process may reach: rules such as `api.example.com`, `*.example.com` and `example.com:8443`, and what fits them.
import { isIP } from 'node:net'

export type Address = { host: string; port: number }

/** The ports that a rule without one lets through. */
const USUAL_PORTS = new Set([80, 443])
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/** As every rule and every wish is compared: small letters, no dot at the end, an address of numbers in its one plain form. Null for no host at all. */
export function plainHost(text: string): string | null {
  const host = text.toLowerCase().replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host) !== 0) return URL.canParse(`http://${bracketed(host)}/`) ? new URL(`http://${bracketed(host)}/`).hostname.replace(/^\[(.*)\]$/, '$1') : null
  // What only looks like a name, `2130706433` or `0x7f.1`, is an address to whoever resolves it.
  const last = host.split('.').at(-1) ?? ''
  if (/^(\d+|0x[\da-f]*)$/.test(last)) return null
  return host.length <= 253 && host.split('.').every((label) => LABEL.test(label)) ? host : null
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** `host:port` as it stands after CONNECT, or in a rule; null when it is neither. */
export function readAddress(text: string, usual: number | null = null): Address | null {
  const [, name = '', digits] = /^(\[[\da-fA-F:.]+\]|[^\s:/@?#]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = plainHost(name)
  const port = digits === undefined ? usual : Number(digits)
  return host === null || port === null || port < 1 || port > 65_535 ? null : { host, port }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')) || host.startsWith('::ffff:7f')
}

type Rule = { host: string; below: boolean; port: number | null }

function readRule(rule: string): Rule | null {
  const below = rule.startsWith('*.')
  const address = readAddress(below ? rule.slice(2) : rule, 0x0001)
  if (!address) return null
  const port = /:\d{1,5}$/.test(rule.replace(/^\[[^\]]*\]/, '')) ? address.port : null
  return below && (isIP(address.host) !== 0 || !address.host.includes('.')) ? null : { host: address.host, below, port }
}

/** The rule that lets this address through; without one it is denied. */
function ruleFor({ host, port }: Address, rules: readonly string[]): Rule | null {
  const fits = rules.map(readRule).filter((rule) => {
    const isNamed = rule !== null && (rule.below ? host.endsWith(`.${rule.host}`) : host === rule.host)
    return isNamed && (rule.port === null ? USUAL_PORTS.has(port) : rule.port === port)
  })
  return fits.find((rule) => rule?.below === false) ?? fits[0] ?? null
}

export function isAllowed(address: Address, rules: readonly string[]): boolean {
  return ruleFor(address, rules) !== null
}

/** Servers of this machine among the rules, by the port they listen on. */
export function loopbackPorts(rules: readonly string[]): number[] {
  const ports = rules.flatMap((rule) => {
    const address = readAddress(rule, 80)
    return address && isLoopback(address.host) ? [address.port] : []
  })
  return [...new Set(ports)]
}

/**
 * Whether a name leads where none of the world outside should: into this machine, or, where only `*.name` lets it through, into its own
 * network. Somebody else may have a name below an allowed one and say where it leads.
 */
export function leadsAstray(ip: string, address: Address, rules: readonly string[]): boolean {
  if (isLoopback(address.host)) return false
  const four = /^(?:::ffff:)?(\d+)\.(\d+)\.\d+\.\d+$/.exec(ip)
  const [a, b] = [Number(four?.[1]), Number(four?.[2])]
  const isHere = four ? a === 0 || a === 127 || a >= 224 || (a === 169 && b === 254) : /^(::1?$|fe[89ab]|ff|::ffff:)/i.test(ip)
  const isNear = four ? a === 10 || (a === 100 && b >= 64 && b < 128) || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) : /^f[cd]/i.test(ip)
  return isHere || (isNear && ruleFor(address, rules)?.below !== false)
}
