// Which sandbox a session works in, as its setup records it, in a few words.

/** Null for sessions that were opened before there were any. */
export function sandboxName(setup: object): string | null {
  const { confinement } = setup as { confinement?: { name?: string } }
  return confinement?.name ?? null
}

/** For what does not run in it; null without a sandbox. */
export function hidingText(setup: object): string | null {
  const name = sandboxName(setup)
  if (name === null || name === 'none') return null
  return `it ran in the sandbox ${name}, which hides home folders: what it needs there is shown by sandbox.read in the settings, and --sandbox none runs it without one`
}

export function sandboxText(setup: object): string | null {
  const name = sandboxName(setup)
  const { origins } = setup as { origins?: Record<string, string> }
  const from = origins?.['sandbox'] === undefined || origins['sandbox'] === 'built-in' ? '' : ` (from ${origins['sandbox']})`
  return name === 'none' ? `none${from}: what runs has all your rights` : name === null ? null : `${name}${from}`
}
