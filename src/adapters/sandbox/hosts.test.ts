// Tests of the rules for addresses: what fits them, in which writing, and what never does.
import { describe, expect, it } from 'vitest'
import { isAllowed, leadsAstray, loopbackPorts, plainHost, readAddress } from './hosts.js'

const allows = (text: string, ...rules: string[]): boolean => {
  const address = readAddress(text, 443)
  return address !== null && isAllowed(address, rules)
}

describe('rules for hosts', () => {
  it('T15 let through a name in any writing of it, on the usual ports or the one they name', () => {
    for (const text of ['api.example.com', 'API.Example.COM:443', 'api.example.com.:80', 'api.example.com:443']) expect(allows(text, 'api.example.com')).toBe(true)
    for (const text of ['example.com', 'xapi.example.com', 'api.example.com.evil.org', 'api.example.com:22', 'api.example.com:8443']) expect(allows(text, 'api.example.com')).toBe(false)
    expect(allows('api.example.com:8443', 'api.example.com:8443')).toBe(true)
    expect(allows('api.example.com:443', 'api.example.com:8443')).toBe(false)
  })

  it('T15 let through all below a name by a star, and not the name itself', () => {
    expect([allows('a.example.com', '*.example.com'), allows('a.b.example.com', '*.example.com'), allows('example.com', '*.example.com'), allows('aexample.com', '*.example.com')]).toEqual([true, true, false, false])
  })

  it('T15 take addresses of numbers only where a rule names them, whatever they are written like', () => {
    for (const text of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.1']) expect(allows(text, '*.example.com', 'example.com')).toBe(false)
    expect(allows('127.0.0.1:1234', '127.0.0.1:1234')).toBe(true)
    expect(allows('2130706433:1234', '127.0.0.1:1234')).toBe(false)
    expect(plainHost('0x7f.1')).toBe(null)
  })

  it('T15 understand nothing that is no plain address', () => {
    for (const text of ['', ':443', 'a b:443', 'user@example.com:443', 'example.com:0', 'example.com:99999', 'example.com:443/x', 'exa\u0000mple.com:443', 'пример.рф:443', '-a.com:443']) expect(readAddress(text, 443)).toBe(null)
    expect(allows('evil.com', '*.com', '*', 'http://evil.com', 'evil.com/x')).toBe(false)
  })

  it('T15 tell where a name leads astray: into the machine always, into its network where only a star lets it through', () => {
    const address = { host: 'a.example.com', port: 443 }
    for (const ip of ['127.0.0.1', '0.0.0.0', '169.254.169.254', '::1', 'fe80::1', '::ffff:127.0.0.1']) expect(leadsAstray(ip, address, ['a.example.com'])).toBe(true)
    expect([leadsAstray('10.0.0.5', address, ['a.example.com']), leadsAstray('10.0.0.5', address, ['*.example.com']), leadsAstray('93.184.216.34', address, ['*.example.com'])]).toEqual([false, true, false])
  })

  it('find the servers of this machine among the rules', () => {
    expect(loopbackPorts(['api.example.com', 'localhost:11434', '127.0.0.1:1234', '[::1]:80', '127.0.0.1:1234'])).toEqual([11_434, 1234, 80])
  })
})
