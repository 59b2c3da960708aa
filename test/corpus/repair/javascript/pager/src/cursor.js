// Pages by cursor: an opaque text says after which row a page begins, so that new rows move nothing.

export function encodeCursor(row) {
  return Buffer.from(JSON.stringify([row.createdAt, row.id])).toString('base64url')
}

export function decodeCursor(cursor) {
  let parts
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw new TypeError('invalid cursor')
  }
  if (!Array.isArray(parts) || parts.length !== 2) throw new TypeError('invalid cursor')
  const [createdAt, id] = parts
  return { createdAt, id }
}

/** Newest first, rows of the same moment by id. */
export function compareRows(a, b) {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  return a.id - b.id
}

export function pageAfter(rows, cursor, size) {
  const ordered = [...rows].sort(compareRows)
  const position = cursor ? decodeCursor(cursor) : null
  const rest = position ? ordered.filter((row) => compareRows(row, position) > 0) : ordered
  const items = rest.slice(0, size)
  const next = rest.length > size ? encodeCursor(items.at(-1)) : null
  return { items, next }
}
