/** The stock after a sale; null where there are not enough. */
export function sell(stock, name, pieces) {
  const left = stock[name] ?? 0
  if (left <= pieces) return null
  return { ...stock, [name]: left - pieces }
}

/** Names that have to be ordered again, scarcest first. */
export function toOrder(stock, least) {
  const scarce = Object.entries(stock).filter(([, pieces]) => pieces < least)
  return scarce.toSorted(([, one], [, other]) => one - other).map(([name]) => name)
}
