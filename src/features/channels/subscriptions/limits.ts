/** The limits of subscribing. */
export const subscriptionLimits = {
  /** Users whom a direct message tells of their new subscriptions. More are told nothing. */
  bulkNewSubscriptionMessages: 100,
  /** Channels that one request creates. */
  newChannelsPerRequest: 500,
  /** Channels that a user who is no administrator creates in a day. */
  newChannelsPerDay: 500,
  /** Pairs of a channel and a user in one request. */
  subscriptionsPerRequest: 20_000,
  /** Pairs of a channel and a user in the first step of a large change. */
  subscriptionsInFirstStep: 500,
  /** Subscribers whom a step lists for each pair that it adds: channels with more of them take larger steps. */
  subscribersPerSubscription: 40,
  /** Pairs that a step adds at most for this reason. */
  subscriptionsForLists: 4_000,
  /** Channels in a step. */
  channelsPerStep: 20,
  /** Users who leave a channel together and whom one event lists. */
  leaversToldApart: 200,
} as const
