import { operations } from '../operations.ts'
import type { Size } from '../seed.ts'
import { each, type Series } from '../series.ts'
import { sendToTenth } from '../waiting.ts'

/** The smallest organization. */
export const base: Size = {
  users: 1_000,
  channels: 100,
  subscriptionsPerUser: 10,
  smallChannel: 10,
  messages: 10_000,
  unread: 500,
  newcomers: 10,
  channelsOfReader: 10,
}

/**
 * Measures the cost of the same work in organizations of 1,000, 10,000 and 100,000 users, with a tenth as many channels and ten
 * times as many messages. Work that concerns few users should not cost more, and work that concerns all users or messages ten
 * times as much.
 */
export const growth: Series = {
  of: 'users',
  steps: [1_000, 10_000, 100_000].map((users) => ({
    count: users,
    size: { ...base, users, channels: users / 10, messages: users * 10 },
  })),
  measure: each([
    operations.registerMessages,
    operations.registerAll,
    operations.users,
    operations.oneUser,
    operations.pageOfChannel,
    operations.pageOfAll,
    operations.search,
    operations.sendToTen,
    operations.sendToAll,
    operations.presence,
    operations.topics,
    operations.subscribers,
    operations.subscribeAll,
    operations.changeName,
    sendToTenth,
  ]),
}
