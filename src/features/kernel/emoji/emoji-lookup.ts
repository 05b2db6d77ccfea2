import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { emptyLookup, type Lookup } from '../../../markdown/lookup.ts'
import { customEmojiPicture } from './custom-emoji.ts'
import { extraEmojiPath } from './extra-emoji.ts'

/**
 * Returns a lookup for texts that cannot mention users but may contain the organization's emoji. It reads the state on
 * each call, so one per organization is enough.
 */
export const emojiLookup = memoizePer(
  (realm: RealmState): Lookup => ({
    ...emptyLookup,
    customEmoji: (name) => customEmojiPicture(realm, name),
    extraEmoji: extraEmojiPath,
  }),
)
