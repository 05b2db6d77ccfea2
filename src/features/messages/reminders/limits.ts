/** The limits of reminders. */
export const reminderLimits = {
  /** Reminders of one user. */
  remindersPerUser: 1_000,
} as const
