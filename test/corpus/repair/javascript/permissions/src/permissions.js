// Who may do what: roles that inherit, grants with wildcards, and denials that win over every grant.

export function createPolicy(roles) {
  const known = new Map()
  for (const [name, role] of Object.entries(roles)) {
    known.set(name, { inherits: [], allow: [], deny: [], ...role })
  }
  for (const [name, { inherits }] of known) {
    const missing = inherits.find((parent) => !known.has(parent))
    if (missing !== undefined) throw new Error(`role ${name} inherits from unknown role ${missing}`)
  }
  return { roles: known, members: new Map() }
}

/** The same role in the same scope is held once; a later assignment replaces its end. */
export function assign(policy, user, role, { scope = '*', until = Infinity } = {}) {
  if (!policy.roles.has(role)) throw new Error(`unknown role: ${role}`)
  const held = policy.members.get(user) ?? []
  const others = held.filter((entry) => entry.role !== role || entry.scope !== scope)
  policy.members.set(user, [...others, { role, scope, until }])
}

/** Takes a role away, in one scope or in all of them, and returns how many assignments went. */
export function revoke(policy, user, role, scope) {
  const held = policy.members.get(user) ?? []
  const kept = held.filter((entry) => entry.role !== role || (scope !== undefined && entry.scope !== scope))
  policy.members.set(user, kept)
  return held.length - kept.length
}

/** A role and all it inherits from, nearest first; circles do no harm. */
export function lineage(policy, role) {
  const seen = new Set()
  const queue = [role]
  while (queue.length > 0) {
    const name = queue.shift()
    if (seen.has(name)) continue
    seen.add(name)
    queue.push(...policy.roles.get(name).inherits)
  }
  return [...seen]
}

/** A `*` at the end stands for one part or more, elsewhere for exactly one. */
export function covers(pattern, action) {
  const wanted = pattern.split(':')
  const given = action.split(':')
  for (const [at, part] of wanted.entries()) {
    if (part === '*' && at === wanted.length - 1) return given.length > at
    if (part !== '*' && part !== given[at]) return false
  }
  return wanted.length === given.length
}

function activeRoles(policy, user, scope, now) {
  const held = policy.members.get(user) ?? []
  const active = held.filter((entry) => now < entry.until && (entry.scope === '*' || entry.scope === scope))
  const names = new Set(active.flatMap((entry) => lineage(policy, entry.role)))
  return [...names].map((name) => policy.roles.get(name))
}

export function can(policy, user, action, { scope = '*', now = 0 } = {}) {
  const roles = activeRoles(policy, user, scope, now)
  if (roles.some(({ deny }) => deny.some((pattern) => covers(pattern, action)))) return false
  return roles.some(({ allow }) => allow.some((pattern) => covers(pattern, action)))
}

export function canAll(policy, user, actions, context) {
  return actions.every((action) => can(policy, user, action, context))
}

export function whoCan(policy, action, context) {
  return [...policy.members.keys()].filter((user) => can(policy, user, action, context)).sort()
}

/** Names of users whose every assignment has ended. */
export function lapsed(policy, now) {
  const entries = [...policy.members].filter(([, held]) => held.length > 0 && held.every(({ until }) => until <= now))
  return entries.map(([user]) => user).sort()
}
