/** The limits of typing notifications. */
export const typingLimits = {
  /** Subscribers of the largest channel in which typing is announced. */
  typingSubscribers: 100,
  /** Seconds after which clients forget that a user is typing. */
  typingExpirySeconds: 45,
  /** Seconds between two notifications of a user who keeps typing. */
  typingRepeatSeconds: 30,
  /** Seconds without typing after which clients say that it has stopped. */
  typingStoppedSeconds: 12,
} as const
