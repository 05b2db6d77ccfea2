import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'

/** The name of a channel as it is stored: trimmed. Throws if it is none. */
export function channelName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw badRequest("Channel name can't be empty.")
  const characters = [...name]
  if (characters.length > limits.channelNameLength) {
    throw badRequest(`Channel name too long (limit: ${limits.channelNameLength} characters).`)
  }
  // Control characters, halves of surrogate pairs, and what Unicode has not assigned.
  const bad = characters.findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character))
  if (bad >= 0) throw badRequest(`Invalid character in channel name, at position ${bad + 1}.`)
  return name
}

/** A description is one line. */
export function channelDescription(sent: string): string {
  return sent.replaceAll('\n', ' ').replaceAll('\0', '')
}
