import { extraEmojiPicture } from '../../kernel/emoji/extra-emoji.ts'
import { addCustomEmoji } from './add-custom-emoji.ts'
import { emojiNames } from './emoji-names.ts'
import { getCustomEmoji } from './get-custom-emoji.ts'
import { realmEmojiEvent } from './realm_emoji.event.ts'
import { withdrawCustomEmoji } from './withdraw-custom-emoji.ts'

export const endpoints = [addCustomEmoji, getCustomEmoji, withdrawCustomEmoji]

export const eventTypes = [realmEmojiEvent]

export const documents = [emojiNames, extraEmojiPicture]
