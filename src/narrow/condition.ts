/**
 * What a narrow asks of a message, with every name resolved to an id. Plain data: both the SQL and the predicate are
 * made from it, and mean the same. It is true to the moment of resolving: a conversation that begins later is not in
 * its lists.
 */
export type Condition =
  | { kind: 'recipient'; ids: number[] }
  | { kind: 'topic'; name: string }
  | { kind: 'sender'; id: number }
  | { kind: 'message'; id: number }
  | { kind: 'not'; of: Condition }
  | { kind: 'all'; of: Condition[] }
  | { kind: 'none' }

/** The parts of a message that conditions look at. The topic of a direct message is ''. */
export type MessageFacts = { id: number; recipientId: number; senderId: number; topic: string }

/** In one of these conversations; of no conversation, nothing. */
export function inRecipients(ids: readonly (number | undefined)[]): Condition {
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? { kind: 'none' } : { kind: 'recipient', ids: known }
}

/** All of them; a single one is itself. */
export function allOf(conditions: Condition[]): Condition {
  return conditions.length === 1 ? conditions[0]! : { kind: 'all', of: conditions }
}
