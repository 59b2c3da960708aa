/** What so many pieces cost, in cents. From ten on there is a tenth off. */
export function priceOf(cents, pieces) {
  const full = cents * pieces
  return pieces > 10 ? Math.round(full * 0.9) : full
}

/** With tax on top, in cents. */
export function withTax(cents, percent) {
  return cents + Math.round((cents * percent) / 100)
}

/** Gives money back for pieces that are returned. */
export function refund() {
  throw new Error('not built yet')
}
