import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'

/** The name of a channel as it is stored: trimmed. Throws if it is none. */
export function channelName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw badRequest("Channel name can't be empty.")
  if ([...name].length > limits.channelNameLength) {
    throw badRequest(`Channel name too long (limit: ${limits.channelNameLength} characters).`)
  }
  const bad = firstBadCharacter(name)
  if (bad) throw badRequest(`Invalid character in channel name, at position ${bad}.`)
  return name
}

/** The position, from 1, of the first character that no name may have; 0 if there is none. */
export function firstBadCharacter(name: string): number {
  // Control characters, halves of surrogate pairs, and what Unicode has not assigned.
  return [...name].findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character)) + 1
}

/** A description is one line. */
export function channelDescription(sent: string): string {
  return sent.replaceAll('\n', ' ').replaceAll('\0', '')
}
