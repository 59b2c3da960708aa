// Words by prefix, with weights: the heaviest completions first.

type Node = { children: Map<string, Node>; weight: number | null }

const emptyNode = (): Node => ({ children: new Map(), weight: null })

export class Trie {
  private root = emptyNode()
  private count = 0

  get size(): number {
    return this.count
  }

  /** Adding a word again adds to its weight. */
  add(word: string, weight = 1): void {
    const text = word.trim().toLowerCase()
    if (text === '') return
    let node = this.root
    for (const letter of text) {
      let child = node.children.get(letter)
      if (!child) {
        child = emptyNode()
        node.children.set(letter, child)
      }
      node = child
    }
    if (node.weight === null) this.count += 1
    node.weight = (node.weight ?? 0) + weight
  }

  private walk(prefix: string): Node | undefined {
    let node: Node | undefined = this.root
    for (const letter of prefix.toLowerCase()) {
      node = node?.children.get(letter)
    }
    return node
  }

  weightOf(word: string): number {
    return this.walk(word)?.weight ?? 0
  }

  hasPrefix(prefix: string): boolean {
    return this.walk(prefix) !== undefined
  }

  complete(prefix: string, limit = 5): string[] {
    const start = this.walk(prefix)
    if (!start) return []
    const found: { word: string; weight: number }[] = []
    const visit = (node: Node, word: string): void => {
      if (node.weight !== null) found.push({ word, weight: node.weight })
      for (const [letter, child] of node.children) visit(child, word + letter)
    }
    visit(start, prefix.toLowerCase())
    found.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    return found.slice(0, limit).map(({ word }) => word)
  }

  /** What all completions of the prefix have in common, the prefix included. */
  common(prefix: string): string {
    let node = this.walk(prefix)
    let text = prefix.toLowerCase()
    while (node && node.children.size === 1 && node.weight === null) {
      const [letter, child] = [...node.children][0]!
      text += letter
      node = child
    }
    return text
  }

  /** Words that differ from this one in one letter of the same place. */
  near(word: string): string[] {
    const text = word.toLowerCase()
    const results: string[] = []
    const visit = (node: Node, at: number, made: string, changed: boolean): void => {
      if (at === text.length) {
        if (node.weight !== null && changed) results.push(made)
        return
      }
      for (const [letter, child] of node.children) {
        if (letter === text[at]) {
          visit(child, at + 1, made + letter, changed)
        } else if (!changed) {
          visit(child, at + 1, made + letter, true)
        }
      }
    }
    visit(this.root, 0, '', false)
    return results.sort()
  }

  remove(word: string): boolean {
    const node = this.walk(word)
    if (!node || node.weight === null) return false
    node.weight = null
    this.count -= 1
    return true
  }
}
