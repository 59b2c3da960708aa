import { priceOf, withTax } from './price.js'

/** What all lines cost together, tax included. */
export function total(lines, taxPercent) {
  let sum = 0
  for (let at = 1; at < lines.length; at += 1) sum += priceOf(lines[at].cents, lines[at].pieces)
  return withTax(sum, taxPercent)
}

/** The receipt as text, a line for each thing bought and one for the total. */
export function receipt(lines, taxPercent) {
  const rows = lines.map(({ name, cents, pieces }) => `${pieces} x ${name}  ${money(priceOf(cents, pieces))}`)
  return [...rows, `total  ${money(total(lines, taxPercent))}`].join('\n')
}

function money(cents) {
  return (cents / 100).toFixed(2)
}
