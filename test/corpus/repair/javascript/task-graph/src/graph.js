// Tasks that wait for others: an order to run them in, cycles, and the longest way through.

export function createGraph() {
  return new Map()
}

export function addTask(graph, name, { needs = [], cost = 1 } = {}) {
  if (graph.has(name)) throw new Error(`task ${name} is there already`)
  graph.set(name, { name, needs: [...needs], cost })
  return graph
}

export function missing(graph) {
  const names = new Set()
  for (const { needs } of graph.values()) {
    for (const need of needs) {
      if (!graph.has(need)) names.add(need)
    }
  }
  return [...names].sort()
}

/** Tasks in an order in which each stands behind all it needs; among free ones, by name. */
export function order(graph) {
  const waiting = new Map()
  for (const { name, needs } of graph.values()) waiting.set(name, new Set(needs))
  const sorted = []
  while (waiting.size > 0) {
    const free = [...waiting].filter(([, needs]) => needs.size === 0).map(([name]) => name)
    if (free.length === 0) throw new Error(`cycle: ${findCycle(graph).join(' → ')}`)
    free.sort()
    const next = free[0]
    waiting.delete(next)
    for (const needs of waiting.values()) needs.delete(next)
    sorted.push(next)
  }
  return sorted
}

export function findCycle(graph) {
  const done = new Set()
  const visit = (name, path) => {
    const at = path.indexOf(name)
    if (at !== -1) return [...path.slice(at), name]
    if (done.has(name)) return null
    for (const need of graph.get(name)?.needs ?? []) {
      const cycle = visit(need, [...path, name])
      if (cycle) return cycle
    }
    done.add(name)
    return null
  }
  for (const name of graph.keys()) {
    const cycle = visit(name, [])
    if (cycle) return cycle
  }
  return null
}

/** Everything a task needs, directly or not. */
export function allNeeds(graph, name) {
  const found = new Set()
  const queue = [...graph.get(name).needs]
  while (queue.length > 0) {
    const next = queue.shift()
    if (found.has(next)) continue
    found.add(next)
    queue.push(...(graph.get(next)?.needs ?? []))
  }
  return [...found].sort()
}

/** When each task can end at the earliest, if any number may run at a time. */
export function finishTimes(graph) {
  const times = new Map()
  for (const name of order(graph)) {
    const { needs, cost } = graph.get(name)
    const start = Math.max(0, ...needs.map((need) => times.get(need)))
    times.set(name, start + cost)
  }
  return times
}

export function criticalTime(graph) {
  return Math.max(0, ...finishTimes(graph).values())
}
