// Addresses that are told things: which may be, and how they are shown.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Null for one that is encrypted or on this machine, else what is expected instead. */
export function openAddress(address: string): string | null {
  if (!URL.canParse(address)) return 'expected an address such as https://chat.example/hook'
  const { protocol, hostname, username, password } = new URL(address)
  if (username + password !== '') return 'expected an address without a name and a password in it'
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return null
  return 'expected https: what is sent can be read on the way; "plainHttp: true" allows it'
}

/** Without what comes after the host, which is often a key. */
export function hostOnly(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/…` : '…'
}
