/** The limits of texts in notifications. */
export const plainTextLimits = {
  /** Characters of a message in a notification. */
  pushTextLength: 240,
} as const
