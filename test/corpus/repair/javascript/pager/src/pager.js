// Pages of a list by number, and the links that lead to them.

export const MAX_PAGE_SIZE = 100

export function clampSize(size, fallback = 20) {
  const wanted = Number.parseInt(size, 10)
  if (Number.isNaN(wanted)) return fallback
  return Math.min(Math.max(wanted, 1), MAX_PAGE_SIZE)
}

/** An empty list still has one page. */
export function pageCount(total, size) {
  return Math.max(1, Math.ceil(total / size))
}

export function paginate(items, { page = 1, size = 20 } = {}) {
  const pages = pageCount(items.length, size)
  const current = Math.min(Math.max(page, 1), pages)
  const start = (current - 1) * size
  return {
    items: items.slice(start, start + size),
    page: current,
    pages,
    total: items.length,
    hasPrevious: current > 1,
    hasNext: current < pages,
  }
}

export function rangeLabel(page, size, total) {
  if (total === 0) return 'no results'
  const first = (page - 1) * size + 1
  const last = Math.min(page * size, total)
  return first === last ? `${first} of ${total}` : `${first}-${last} of ${total}`
}

/** Page numbers to link to; null stands for a gap of two pages or more. */
export function pageLinks(current, pages, around = 1) {
  const shown = new Set([1, pages])
  for (let page = current - around; page <= current + around; page += 1) {
    if (page >= 1 && page <= pages) shown.add(page)
  }
  const links = []
  let previous = 0
  for (const page of [...shown].sort((a, b) => a - b)) {
    const gap = page - previous
    if (gap === 2) links.push(page - 1)
    else if (gap > 2) links.push(null)
    links.push(page)
    previous = page
  }
  return links
}
