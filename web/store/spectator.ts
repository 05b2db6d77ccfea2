import { createRoot, createSignal } from 'solid-js'
import type { Term } from '../lib/route.ts'

const [isSpectator, setSpectator] = createRoot(() => createSignal(false))

/** Whether the reader has no account: the organization shows its web-public channels to everyone. */
export { isSpectator, setSpectator }

/** The terms of a request for messages: spectators must say that they ask for web-public channels alone. */
export function withinReach(terms: Term[]): Term[] {
  return isSpectator() ? [...terms, { operator: 'channels', operand: 'web-public' }] : terms
}
