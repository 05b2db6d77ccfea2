import { badRequest } from '../../../lib/api-error.ts'
import { limits } from '../../../lib/limits.ts'
import { firstUnprintable } from '../../../lib/unprintable.ts'

/** Returns a channel name as it is stored, trimmed. Throws if the name is invalid. */
export function channelName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw badRequest("Channel name can't be empty.")
  if ([...name].length > limits.channelNameLength) {
    throw badRequest(`Channel name too long (limit: ${limits.channelNameLength} characters).`)
  }
  const bad = firstUnprintable(name)
  if (bad) throw badRequest(`Invalid character in channel name, at position ${bad}.`)
  return name
}

/** A description is one line. */
export function channelDescription(sent: string): string {
  return sent.replaceAll('\n', ' ').replaceAll('\0', '')
}
