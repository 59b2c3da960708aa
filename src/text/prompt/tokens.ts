// How long a text is in tokens, near enough for a budget: four characters to a token.

export function countTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
