// Answers as JSON, without what could steer, hide or turn around the text of an agent, wherever it is shown in the end.
import { sanitise } from '../text/sanitise.js'

export function plainJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? sanitise(part) : part))
}
