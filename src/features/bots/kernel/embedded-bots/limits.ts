/** The limits of the bot that keeps notes. */
export const noteLimits = {
  /** Notes of one user. */
  notesPerPerson: 50,
  /** Characters of a note. */
  noteLength: 1_000,
} as const
