/** The limits of measuring how busy channels are. */
export const activityLimits = {
  /** Days of messages that count for a channel's traffic. */
  trafficDays: 28,
  /** Days from which a new channel has a traffic. */
  trafficYoungDays: 7,
  /** Days for which a channel counts as active after its last message. */
  activeDays: 180,
  /** Seconds between two measurements. */
  activityPauseSeconds: 86_400,
  /** Channels that one write announces. */
  activityBatch: 50,
} as const
