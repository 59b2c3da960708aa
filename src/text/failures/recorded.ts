// How records cut the texts of failures: what is compared with them has to be cut alike.

const MOST_CHARS = 240

export function cut(text: string): string {
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 1)}…` : text
}
