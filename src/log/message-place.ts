import { isAscii } from '../lib/lower.ts'

/** A conversation, or one of its topics, as topicKey writes it. */
export type MessagePlace = { readonly recipient: number; readonly topic: string | undefined }

/**
 * Returns the name of a topic for a place: in lower case if it is ASCII, because such names are the same topic in any
 * database. For other letters that depends on the locale of the database, so they stay as they are written.
 */
export function topicKey(name: string): string {
  return isAscii(name) ? name.toLowerCase() : name
}
