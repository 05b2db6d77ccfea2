/** The limits of channels. */
export const channelLimits = {
  /** Characters of a channel's name. */
  channelNameLength: 60,
  /** Characters of a channel's description. */
  channelDescriptionLength: 1024,
  /** Channels in one request. */
  channelsPerRequest: 1_000,
  /** Channels that a change shows to a user by events. If there are more, the queues of the user's clients end. */
  channelsGained: 500,
} as const
