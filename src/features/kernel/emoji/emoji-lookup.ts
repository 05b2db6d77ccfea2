import type { RealmState } from '../../../log/realm-state.ts'
import { emptyLookup, type Lookup } from '../../../markdown/lookup.ts'
import { customEmojiPicture } from './custom-emoji.ts'
import { extraEmojiPath } from './extra-emoji.ts'

/** Returns a lookup for texts that cannot mention users but may contain the organization's emoji. */
export function emojiLookup(realm: RealmState): Lookup {
  const known = made.get(realm)
  if (known) return known
  const lookup: Lookup = {
    ...emptyLookup,
    customEmoji: (name) => customEmojiPicture(realm, name),
    extraEmoji: extraEmojiPath,
  }
  made.set(realm, lookup)
  return lookup
}

/** The lookup reads the state on each call, so one per organization is enough. */
const made = new WeakMap<RealmState, Lookup>()
