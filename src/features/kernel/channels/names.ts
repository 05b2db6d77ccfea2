import { z } from 'zod'
import { list } from '../../../http/collections.ts'
import { httpLimits } from '../../../http/limits.ts'
import { json } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstUnprintable, printableName } from '../../../lib/text/unprintable.ts'
import { channelLimits } from './limits.ts'

/** Describes what `channelName` takes. */
export const channelNameSchema = {
  minLength: 1,
  maxLength: channelLimits.channelNameLength,
  ...printableName,
}

/** The names of channels to leave. */
export const channelNamesParam = () =>
  json(list(z.string().max(httpLimits.nameLength).meta(channelNameSchema), channelLimits.channelsPerRequest))

/** Returns a channel name as it is stored, trimmed. Throws if the name is invalid. */
export function channelName(sent: string): string {
  const name = sent.trim()
  if (name === '') throw badRequest("Channel name can't be empty.")
  if ([...name].length > channelLimits.channelNameLength) {
    throw badRequest(`Channel name too long (limit: ${channelLimits.channelNameLength} characters).`)
  }
  const bad = firstUnprintable(name)
  if (bad) throw badRequest(`Invalid character in channel name, at position ${bad}.`)
  return name
}

/** A description is one line. */
export function channelDescription(sent: string): string {
  return sent.replaceAll('\n', ' ').replaceAll('\0', '')
}
