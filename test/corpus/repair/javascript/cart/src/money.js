// Sums of money are whole cents; only here are they rounded or written.

/** Half a cent goes up. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100)
}

export function format(cents, currency = '€') {
  const sign = cents < 0 ? '-' : ''
  const amount = Math.abs(cents)
  const whole = Math.floor(amount / 100)
  const rest = String(amount % 100).padStart(2, '0')
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${currency}${grouped}.${rest}`
}

/** Shares differ by one cent at most and add up to the sum; the first ones get the larger shares. */
export function split(cents, parts) {
  const base = Math.floor(cents / parts)
  const left = cents - base * parts
  return Array.from({ length: parts }, (_, at) => (at < left ? base + 1 : base))
}
