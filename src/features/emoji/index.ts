import { addCustomEmoji } from './add-custom-emoji.ts'
import { emojiNames } from './emoji-names.ts'
import { extraEmojiPicture } from './extra-emoji.ts'
import { getCustomEmoji } from './get-custom-emoji.ts'
import { realmEmojiEvent } from './realm_emoji.event.ts'
import { withdrawCustomEmoji } from './withdraw-custom-emoji.ts'

/** The operations of this capability. */
export const endpoints = [addCustomEmoji, getCustomEmoji, withdrawCustomEmoji]

/** Its types of events. */
export const eventTypes = [realmEmojiEvent]

/** What it serves outside the API. */
export const documents = [emojiNames, extraEmojiPicture]
