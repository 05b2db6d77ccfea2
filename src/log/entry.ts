import type { StateTable } from './state-tables.ts'

/**
 * The users that receive an event. The parts add up; `except` removes users again.
 *
 * `message` is the audience of a message: the participants of a direct conversation, or the users who were subscribed to the channel when the
 * message with this id was sent, even if they fetch the event much later.
 *
 * `subscribed` is the audience of an event about a message or in a conversation: the participants, or the users
 * subscribed to the channel at every listed message id (a point in time is written as the next message id).
 */
export type Audience = {
  everyone?: true
  nonGuests?: true
  users?: number[]
  message?: { id: number; recipient: number }
  subscribed?: { recipient: number; at: number[] }[]
  except?: number[]
}

/** The events by type. The file of each event type declares its own, so that nothing else can be emitted. */
// biome-ignore lint/suspicious/noEmptyInterface: the event types fill it
export interface Events {}

/** An event for clients, of a declared type. */
export type ClientEvent = Events[keyof Events]

/**
 * The new image of a row of a state table; null if the row was deleted. Or the new bounds of a conversation (by recipient) whose messages
 * have been moved or deleted.
 */
export type RowImage =
  | [table: StateTable, key: number | string, row: object | null]
  | [table: 'bounds', recipient: number, bounds: Bounds]

/** The ids of the oldest and the newest message of a conversation; null if it has none. */
export type Bounds = { oldest: number | null; newest: number | null }

/** One number of an organization's log. */
export type Entry = {
  id: number
  /** All entries of a commit have the same stamp, and no other commit has it. */
  stamp: number
  type: string
  audience: Audience | null
  event: ClientEvent | null
  rows: RowImage[] | null
  /**
   * The object that the event refers to, such as a message. It is not stored in the log, so an entry that was read from there has none until
   * `completeWith` has added it from its table.
   */
  body?: unknown
}

/** The type of an entry that only carries rows and has no event for clients. */
export const rowsOnly = 'rows'

/** Returns a stamp for the entries of a new commit. */
export function newStamp(): number {
  return Math.floor(Math.random() * 2 ** 52)
}
