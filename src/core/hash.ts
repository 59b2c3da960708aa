// A small stable hash for names and keys; it identifies, it does not protect.

/** 64 bits of FNV-1a in two lanes, as 16 hex digits. */
export function shortHash(text: string): string {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 15), 0x85ebca6b)
  }
  return hex(high ^ (high >>> 13)) + hex(low ^ (low >>> 16))
}

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0')
