import { isAscii } from '../../lib/text/lower.ts'

/** A conversation, or one of its topics, as topicKey writes it. */
export type MessagePlace = { readonly recipient: number; readonly topic: string | undefined }

/**
 * Returns a topic's name for use in a MessagePlace: in lower case if it is ASCII. For other letters, which names are the same topic depends on
 * the locale of the database, so they stay as they are written.
 */
export function topicKey(name: string): string {
  return isAscii(name) ? name.toLowerCase() : name
}

/** Returns the index of a message among messages in ascending order; -1 if it is not there. */
export function indexOfMessage(messages: readonly { readonly id: number }[], wanted: number): number {
  let [low, high] = [0, messages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (messages[middle]!.id < wanted) low = middle + 1
    else high = middle
  }
  return messages[low]?.id === wanted ? low : -1
}
