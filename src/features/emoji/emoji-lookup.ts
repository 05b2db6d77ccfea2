import type { RealmState } from '../../log/realm-state.ts'
import { emptyLookup, type Lookup } from '../../markdown/lookup.ts'
import { customEmojiPicture } from './custom-emoji.ts'
import { extraEmojiPath } from './extra-emoji.ts'

/** For texts that name nobody, but may have the organization's emoji. */
export function emojiLookup(realm: RealmState): Lookup {
  return {
    ...emptyLookup,
    customEmoji: (name) => customEmojiPicture(realm, name),
    extraEmoji: extraEmojiPath,
  }
}
