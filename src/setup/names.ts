import { channelLimits } from '../features/kernel/channels/limits.ts'
import { topicToSendTo } from '../features/kernel/messages/message-text.ts'
import { personLimits } from '../features/people/kernel/users/limits.ts'
import { checkNameForm } from '../features/people/kernel/users/names.ts'
import { firstCharacters } from '../lib/text/characters.ts'
import { lower } from '../lib/text/lower.ts'
import { withoutUnprintable } from '../lib/text/unprintable.ts'
import type { Change } from '../log/change.ts'

// Names that come from another server, in a form that they may have here.

/** Returns the first of these that can be a full name, without the characters that none may have. */
export function personNameFrom(candidates: (string | undefined)[]): string {
  const { fullNameLength, fullNameMinLength } = personLimits
  const cleaned = candidates.map((candidate = '') => candidate.replaceAll(/[*`\\>"@|\p{C}]/gu, '').trim())
  const long = cleaned.find((name) => [...name].length >= fullNameMinLength) ?? 'Unknown'
  return checkNameForm(firstCharacters(long, fullNameLength))
}

/** Returns a name that no other channel has, in whatever letters. */
export function freeChannelName(change: Change, name: string): string {
  const isTaken = (key: string) => change.next.channelByName(key) !== undefined
  return freeName(name, { fallback: 'channel', most: channelLimits.channelNameLength, isTaken })
}

/** Returns a topic. The names that clients have for the empty topic become it: nobody could write under them. */
export function topicFrom(name: string): string {
  return topicToSendTo(withoutUnprintable(name))
}

/** `isTaken` receives a name in lower case. */
type Naming = { fallback: string; most: number; isTaken: (key: string) => boolean }

/** Returns a name of at most `most` characters that is not taken: with a number, if it has to be. */
export function freeName(name: string, { fallback, most, isTaken }: Naming): string {
  const cleaned = firstCharacters(withoutUnprintable(name).trim(), most).trim() || fallback
  for (let i = 1; ; i++) {
    const ending = i === 1 ? '' : ` (${i})`
    const candidate = firstCharacters(cleaned, most - ending.length) + ending
    if (!isTaken(lower(candidate))) return candidate
  }
}
