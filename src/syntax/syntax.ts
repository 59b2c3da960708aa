// Syntax trees as plain data, made from the table of rows that the parsing thread sends.

/** How far the thread looks into nodes of a type: into all of it, or into all but the body. Other nodes are leaves. */
export type Open = Readonly<Record<string, 'all' | 'head'>>

/** The whole tree, with the words and signs that have no name. */
export type Everything = 'everything'

/** Five numbers for each row: type and field (places in `names`), row of the parent, start and end (places in the text). */
export type Table = { names: readonly string[]; rows: Int32Array }

export type Syntax = { type: string; field: string; start: number; end: number; children: Syntax[] }

const NUMBERS_IN_ROW = 5

export function syntaxOf({ names, rows }: Table): Syntax {
  const nodes: Syntax[] = []
  for (let at = 0; at < rows.length; at += NUMBERS_IN_ROW) {
    const number = (place: number): number => rows[at + place] ?? 0
    const node = { type: names[number(0)] ?? '', field: names[number(1)] ?? '', start: number(3), end: number(4), children: [] }
    nodes.push(node)
    nodes[number(2)]?.children.push(node)
  }
  return nodes[0] ?? { type: '', field: '', start: 0, end: 0, children: [] }
}

export function childOf(node: Syntax, field: string): Syntax | undefined {
  return node.children.find((child) => child.field === field)
}

export function childOfType(node: Syntax, ...types: readonly string[]): Syntax | undefined {
  return node.children.find((child) => types.includes(child.type))
}

export function childrenOf(node: Syntax, field: string): Syntax[] {
  return node.children.filter((child) => child.field === field)
}

export function allOpen(...types: readonly string[]): Open {
  return Object.fromEntries(types.map((type) => [type, 'all'] as const))
}

export function headOpen(...types: readonly string[]): Open {
  return Object.fromEntries(types.map((type) => [type, 'head'] as const))
}
