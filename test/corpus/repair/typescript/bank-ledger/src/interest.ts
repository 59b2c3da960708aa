// Interest in whole cents.

/** Simple interest for a number of days in a year of 365, rounded half away from zero. */
export function interest(cents: number, percent: number, days: number): number {
  const exact = (cents * percent * days) / (100 * 365)
  return Math.sign(exact) * Math.round(Math.abs(exact))
}

/** The balance after each of so many years, rounded once a year. */
export function compound(cents: number, percent: number, years: number): number[] {
  const balances: number[] = []
  let balance = cents
  for (let year = 1; year <= years; year += 1) {
    balance += interest(balance, percent, 365)
    balances.push(balance)
  }
  return balances
}
