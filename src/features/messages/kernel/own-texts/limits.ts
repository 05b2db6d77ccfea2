/** The limits of the texts that a user keeps: drafts, snippets, scheduled messages and reminders. */
export const ownTextLimits = {
  /**
   * MiB of the texts of one kind that a user keeps: drafts, snippets, scheduled messages with their HTML, or reminders. Lists of them,
   * and registrations, return all.
   */
  ownTextsMib: 10,
} as const
