import { firstIn } from '../lib/must.ts'

/**
 * A narrow's condition on a message, with every name resolved to an id. Both the SQL and the predicate are made from
 * it, and mean the same. It holds at the moment of resolving: a conversation that begins later is not in its lists.
 * Lists of all of a reader's conversations are functions, as they are long, and only the SQL needs them.
 */
export type Condition =
  | { kind: 'recipient'; ids: number[] }
  /** In a direct conversation of the reader. */
  | { kind: 'direct'; recipients: () => number[] }
  | { kind: 'topic'; name: string }
  | { kind: 'sender'; id: number }
  | { kind: 'message'; id: number }
  | { kind: 'resolved' }
  | { kind: 'contains'; what: 'link' | 'image' | 'attachment' }
  | OwnCondition
  | StoredCondition
  | { kind: 'not'; of: Condition }
  | { kind: 'all'; of: Condition[] }
  | { kind: 'none' }

/** A condition on a message's relation to one reader. */
type OwnCondition =
  | { kind: 'flag'; userId: number; flag: OwnFlag }
  | { kind: 'mentioned'; userId: number }
  /** In one of the reader's current conversations, and unread. */
  | { kind: 'unread'; realmId: number; userId: number; current: () => Current }

/** Conversations by recipient, and for each the message id from which on it counts. */
export type Current = { recipients: number[]; since: number[] }

/** A condition that only the database can evaluate. It has no predicate. */
type StoredCondition =
  | { kind: 'reacted' }
  /** In topics for which the user has one of these visibility policies. */
  | { kind: 'topicPolicy'; realmId: number; userId: number; policies: number[] }
  | { kind: 'words'; search: string }

/** Flags that are rows. */
type OwnFlag = 'starred' | 'has_alert_word'

/**
 * The parts of a received message that conditions examine. The topic of a direct message is ''. Flags are those that
 * the reader's clients receive.
 */
export type MessageFacts = {
  id: number
  recipientId: number
  isDirect: boolean
  senderId: number
  topic: string
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  flags: readonly string[]
}

/** The prefix of resolved topics. */
export const resolvedMark = '✔ '

/** A user's visibility policies for a topic. */
export const topicPolicies = { muted: 1, unmuted: 2, followed: 3 } as const

/** Returns the condition that a message is in one of these conversations. An empty list matches nothing. */
export function inRecipients(ids: readonly (number | undefined)[]): Condition {
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? { kind: 'none' } : { kind: 'recipient', ids: known }
}

/** Returns the conversations to which a condition alone limits messages, if it names any. */
export function recipientsNamed(condition: Condition): number[] | undefined {
  if (condition.kind === 'direct') return condition.recipients()
  return condition.kind === 'recipient' ? condition.ids : undefined
}

/** Returns the condition that all of these hold. A single one needs no list. */
export function allOf(conditions: Condition[]): Condition {
  return conditions.length === 1 ? firstIn(conditions) : { kind: 'all', of: conditions }
}
