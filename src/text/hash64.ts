// A hash of a text, for identities.

/** Two 32-bit multiplicative hashes of the UTF-16 units, mixed into 16 hexadecimal digits. Not for secrets. */
export function hash64(text: string): string {
  let high = 0x811c9dc5
  let low = 0xdeadbeef
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x9e3779b1)
    low ^= low >>> 15
  }
  return hex(mixed(high ^ (low >>> 13))) + hex(mixed(low ^ (high >>> 16)))
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
