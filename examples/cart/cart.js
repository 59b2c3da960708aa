// A shopping cart with two faults in it, for the sample run.

export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0)
}

export function discounted(amount, percent) {
  return amount - percent
}
