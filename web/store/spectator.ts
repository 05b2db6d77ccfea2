import { createRoot, createSignal } from 'solid-js'
import type { Term } from '../lib/route.ts'

const [isSpectator, setSpectator] = createRoot(() => createSignal(false))

/** Whether the reader has no account: the organization shows its web-public channels to everyone. */
export { isSpectator, setSpectator }

const open = new Set(['channel', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with'])

/** Whether a narrow depends on nothing that only a user has. */
export function isForEveryone(terms: Term[]): boolean {
  return terms.every(
    ({ operator, operand }) => open.has(operator) || (operator === 'is' && operand === 'resolved'),
  )
}

/** The terms of a request for messages: spectators must say that they ask for web-public channels alone. */
export function withinReach(terms: Term[]): Term[] {
  return isSpectator() ? [...terms, { operator: 'channels', operand: 'web-public' }] : terms
}
