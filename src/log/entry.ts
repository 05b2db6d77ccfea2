import type { StateTable } from './state-tables.ts'

/**
 * Who hears an event. The parts add up; `except` takes people out again.
 *
 * `message` is the audience of a message: the participants of a direct conversation, or whoever was subscribed to the
 * channel when the message with this id was sent, however much later they come to fetch the event.
 */
export type Audience = {
  everyone?: true
  nonGuests?: true
  users?: number[]
  message?: { id: number; recipient: number }
  except?: number[]
}

/** An event for clients: its type and whatever its EventType makes of it. */
export type ClientEvent = { type: string }

/** The new image of a state row; null where the row was deleted. */
export type RowImage = [table: StateTable, key: number | string, row: object | null]

/** One number of an organization's log. */
export type Entry = {
  id: number
  type: string
  audience: Audience | null
  event: ClientEvent | null
  rows: RowImage[] | null
  /** What the event refers to, when it is at hand (a message, say). Not stored: replay reads it from its table. */
  body?: unknown
}

/** An entry that only carries rows and tells nobody anything. */
export const silent = 'rows'
