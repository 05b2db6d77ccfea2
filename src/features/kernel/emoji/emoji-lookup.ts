import type { RealmState } from '../../../log/realm-state.ts'
import { emptyLookup, type Lookup } from '../../../markdown/lookup.ts'
import { customEmojiPicture } from './custom-emoji.ts'
import { extraEmojiPath } from './extra-emoji.ts'

/** For texts that name nobody, but may have the organization's emoji. */
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

/** It asks the state each time, so it need not be made anew for every message. */
const made = new WeakMap<RealmState, Lookup>()
