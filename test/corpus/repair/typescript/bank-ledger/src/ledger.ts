// Accounts in whole cents with a journal of postings that always balances.

export type Posting = { account: string; amount: number }
export type Entry = { id: number; day: string; text: string; postings: Posting[] }

export class Ledger {
  private entries: Entry[] = []
  private nextId = 1
  private limits = new Map<string, number>()

  /** How far an account may go below zero. Accounts without a limit may go as far as they like. */
  setLimit(account: string, limit: number): void {
    this.limits.set(account, limit)
  }

  post(day: string, text: string, postings: Posting[]): Entry {
    if (postings.length < 2) throw new Error('an entry needs two postings')
    const sum = postings.reduce((total, { amount }) => total + amount, 0)
    if (sum !== 0) throw new Error(`entry is out of balance by ${sum}`)
    for (const { account } of postings) {
      const limit = this.limits.get(account)
      const change = postings.filter((posting) => posting.account === account).reduce((total, { amount }) => total + amount, 0)
      if (limit !== undefined && this.balance(account) + change < -limit) {
        throw new Error(`${account} would go below its limit`)
      }
    }
    const entry = { id: this.nextId, day, text, postings: postings.map((posting) => ({ ...posting })) }
    this.nextId += 1
    this.entries.push(entry)
    return entry
  }

  transfer(day: string, from: string, to: string, amount: number): Entry {
    if (!Number.isInteger(amount) || amount <= 0) throw new Error('an amount must be whole cents above zero')
    return this.post(day, `${from} to ${to}`, [
      { account: from, amount: -amount },
      { account: to, amount },
    ])
  }

  balance(account: string, until = '9999-12-31'): number {
    let total = 0
    for (const entry of this.entries) {
      if (entry.day > until) continue
      for (const posting of entry.postings) {
        if (posting.account === account) total += posting.amount
      }
    }
    return total
  }

  /** Entries of one account with the balance after each, in order of days. */
  statement(account: string): { day: string; text: string; amount: number; balance: number }[] {
    const rows = this.entries
      .filter((entry) => entry.postings.some((posting) => posting.account === account))
      .sort((a, b) => (a.day === b.day ? a.id - b.id : a.day < b.day ? -1 : 1))
    let balance = 0
    return rows.map(({ day, text, postings }) => {
      const amount = postings.filter((posting) => posting.account === account).reduce((total, posting) => total + posting.amount, 0)
      balance += amount
      return { day, text, amount, balance }
    })
  }

  reverse(id: number, day: string): Entry {
    const entry = this.entries.find((candidate) => candidate.id === id)
    if (!entry) throw new Error(`no entry ${id}`)
    return this.post(day, `reversal of ${entry.text}`, entry.postings.map(({ account, amount }) => ({ account, amount: -amount })))
  }
}
