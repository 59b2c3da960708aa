// State machines as data: which events lead where, under which conditions, and what has happened so far.

export type Transition<C> = { to: string; guard?: (context: C) => boolean; effect?: (context: C) => Partial<C> }
export type Timeout = { after: number; to: string }
export type StateNode<C> = { on?: Record<string, Transition<C> | Transition<C>[]>; final?: boolean; timeout?: Timeout }
export type Definition<C> = { initial: string; states: Record<string, StateNode<C>> }
export type Step = { event: string; from: string; to: string; at: number }

export class InvalidTransition extends Error {}

/** What is wrong with a definition, one sentence each. */
export function problemsOf<C>({ initial, states }: Definition<C>): string[] {
  const problems = states[initial] ? [] : [`initial state ${initial} is not defined`]
  for (const [name, node] of Object.entries(states)) {
    const transitions = Object.values(node.on ?? {}).flat()
    if (node.final && transitions.length > 0) problems.push(`final state ${name} has transitions`)
    const targets = transitions.map(({ to }) => to)
    if (node.timeout) targets.push(node.timeout.to)
    for (const target of new Set(targets)) {
      if (!states[target]) problems.push(`${name} leads to ${target}, which is not defined`)
    }
  }
  return problems
}

/** States that no event leads to from the initial one. */
export function unreachable<C>({ initial, states }: Definition<C>): string[] {
  const seen = new Set([initial])
  for (const name of seen) {
    const node = states[name]
    for (const { to } of Object.values(node.on ?? {}).flat()) seen.add(to)
    if (node.timeout) seen.add(node.timeout.to)
  }
  return Object.keys(states).filter((name) => !seen.has(name)).sort()
}

export class Machine<C extends object> {
  readonly history: Step[] = []
  state: string
  context: C
  private readonly definition: Definition<C>
  private enteredAt: number

  constructor(definition: Definition<C>, context: C, now = 0) {
    const problems = problemsOf(definition)
    if (problems.length > 0) throw new Error(problems.join('; '))
    this.definition = definition
    this.state = definition.initial
    this.context = { ...context }
    this.enteredAt = now
  }

  private node(): StateNode<C> {
    return this.definition.states[this.state]
  }

  /** The first transition whose guard lets it through. */
  private find(event: string): Transition<C> | undefined {
    const transitions = [this.node().on?.[event] ?? []].flat()
    return transitions.find(({ guard }) => guard === undefined || guard(this.context))
  }

  get isDone(): boolean {
    return this.node().final === true
  }

  can(event: string): boolean {
    return this.find(event) !== undefined
  }

  events(): string[] {
    return Object.keys(this.node().on ?? {}).filter((event) => this.can(event)).sort()
  }

  send(event: string, now: number): string {
    this.tick(now)
    const transition = this.find(event)
    if (!transition) throw new InvalidTransition(`${event} is not possible in ${this.state}`)
    if (transition.effect) this.context = { ...this.context, ...transition.effect(this.context) }
    this.enter(event, transition.to, now)
    return this.state
  }

  /** Lets timeouts that are due happen, each at the moment at which it was due. */
  tick(now: number): void {
    let timeout = this.node().timeout
    while (timeout && this.enteredAt + timeout.after <= now) {
      this.enter('timeout', timeout.to, this.enteredAt + timeout.after)
      timeout = this.node().timeout
    }
  }

  private enter(event: string, to: string, at: number): void {
    this.history.push({ event, from: this.state, to, at })
    this.state = to
    this.enteredAt = at
  }

  /** How long each state lasted until now, those that are final left out. */
  timeIn(now: number, start = 0): Record<string, number> {
    const times: Record<string, number> = {}
    let since = start
    for (const { from, at } of this.history) {
      times[from] = (times[from] ?? 0) + at - since
      since = at
    }
    if (!this.isDone) times[this.state] = (times[this.state] ?? 0) + now - since
    return times
  }
}
