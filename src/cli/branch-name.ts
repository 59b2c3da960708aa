// Names of branches that may be asked for: fewer than git takes, so that no name can be read as a flag, a range or a path upwards.

const LONGEST = 200

/** What is wrong with a name, in words that follow it; null when nothing is. */
export function branchFault(name: string): string | null {
  if (name === '') return 'is empty'
  if (name.length > LONGEST) return `is longer than ${LONGEST} characters`
  if (!/^[A-Za-z0-9._/-]+$/.test(name)) return 'may hold only letters, digits, ".", "_", "/" and "-"'
  if (name.startsWith('-')) return 'may not begin with "-"'
  if (name.includes('..')) return 'may not hold ".."'
  if (name.startsWith('refs/') || name === 'HEAD') return 'means something else to git'
  const parts = name.split('/')
  if (parts.includes('')) return 'may not begin or end with "/", nor hold "//"'
  if (parts.some((part) => part.startsWith('.') || part.endsWith('.'))) return 'may have no part that begins or ends with "."'
  return parts.some((part) => part.endsWith('.lock')) ? 'may have no part that ends with ".lock"' : null
}
