// What this process knows to be secret, and the one way in which everything that is written, sent or shown is rid of it.
import { redactedStream, redactor, secretsAround, type Redact, type RedactedStream } from '../text/redact.js'

/** Our own environment is read when it is first needed; what the settings say is learnt as sessions are put together. */
let known: Set<string> | null = null
let redactKnown: Redact | null = null

function values(): Set<string> {
  return (known ??= new Set(secretsAround(process.env)))
}

export function learnSecrets(more: readonly (string | undefined)[]): void {
  const before = values().size
  // A plain word stands in every text, and in the names of our own records.
  for (const value of more) if (value !== undefined && !/^[A-Za-z]*$/.test(value)) values().add(value)
  if (values().size > before) redactKnown = null
}

/** Without known values, and without what has the shape of a secret. */
export const redact: Redact = (text) => (redactKnown ??= redactor([...values()]))(text)

/** The same with values besides that only one agent is given. */
export function redactorWith(more: readonly (string | undefined)[]): Redact {
  return redactor([...values(), ...more])
}

/** The same for a stream, with values besides that only its reader knows of. */
export function secretless(more: readonly string[] = []): RedactedStream {
  return redactedStream([...values(), ...more])
}
