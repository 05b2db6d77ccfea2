/** The limits of custom emoji. */
export const emojiLimits = {
  /** MiB of a custom emoji. */
  emojiMib: 5,
  /** Emoji of an organization, with the withdrawn ones: each change tells every user of all of them. */
  customEmoji: 5_000,
  /** Characters of the name of a custom emoji. */
  customEmojiNameLength: 100,
} as const
