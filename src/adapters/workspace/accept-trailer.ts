// The line of a commit's message by which a session's result is known again.

export function trailerOf(session: string): string {
  return `Greenlatch-Session: ${session}`
}
