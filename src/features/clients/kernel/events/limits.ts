/** The limits of requests for events. */
export const eventRequestLimits = {
  /** Characters of the event types and the narrow of a queue. */
  queueOptionsLength: 20_000,
  /** Bytes of events in one response from which it is kept in memory for others that get the same. */
  sharedEventsFrom: 4_096,
  /** Bytes of an organization's responses with events that are kept in memory, also compressed, with what tells them apart. */
  sharedEventBytes: 8 * 1024 * 1024,
  /** Bytes of such responses of all organizations of a node. */
  sharedEventBytesOfNode: 32 * 1024 * 1024,
} as const
