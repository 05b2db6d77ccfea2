import { createRoot, createSignal } from 'solid-js'
import { type Term, withoutMinus } from '../lib/route.ts'

const [isSpectator, setSpectator] = createRoot(() => createSignal(false))

/** Whether the reader has no account: the organization shows its web-public channels to everyone. */
export { isSpectator, setSpectator }

const open = new Set(['channel', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with'])

/** Whether a narrow depends on nothing that only a user has. */
export function isForEveryone(terms: Term[]): boolean {
  return terms.every(
    ({ operator, operand }) =>
      open.has(withoutMinus(operator)) || (withoutMinus(operator) === 'is' && operand === 'resolved'),
  )
}

/** The terms of a request for messages, as the API takes them: spectators must say that they ask for web-public channels alone. */
export function inRequest(terms: Term[]) {
  const all = isSpectator() ? [...terms, { operator: 'channels', operand: 'web-public' }] : terms
  return all.map(({ operator: written, operand }) => {
    const operator = withoutMinus(written)
    return { operator, operand, negated: operator !== written }
  })
}
