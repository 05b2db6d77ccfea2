import { operations } from '../operations.ts'
import type { Size } from '../seed.ts'
import { each, type Series } from '../series.ts'
import { queuesOf, sendToWaiting, whileWaiting } from '../waiting.ts'
import { base } from './growth.ts'

/** The operations that are drawn against each number. */
const drawn = each([
  operations.registerMessages,
  operations.registerAll,
  operations.permission,
  operations.pageOfChannel,
  operations.search,
  operations.sendToTen,
  operations.sendToAll,
])

const crowded: Size = { ...base, users: 10_001 }

function times(first: number): number[] {
  return [1, 10, 100, 1_000].map((factor) => first * factor)
}

/** Each series has ten, a hundred and a thousand times as much of one thing, and as much as before of everything else. */
export const curves: Series[] = [
  {
    of: 'members',
    steps: times(100).map((users) => ({ count: users, size: { ...base, users } })),
    measure: drawn,
  },
  {
    of: 'channels',
    steps: times(10).map((channels) => ({ count: channels, size: { ...base, channels } })),
    measure: drawn,
  },
  {
    of: 'messages',
    steps: times(1_000).map((messages) => ({ count: messages, size: { ...base, messages } })),
    measure: each([
      operations.registerMessages,
      operations.pageOfChannel,
      operations.topics,
      operations.search,
      operations.searchInChannel,
      operations.sendToTen,
    ]),
  },
  {
    of: 'queues',
    steps: times(10).map((count) => ({ count, size: crowded })),
    async measure({ bench }, { count, size }) {
      return whileWaiting(bench, await queuesOf(bench, count), async (crowd) => [
        { ...operations.sendToTen, slices: await operations.sendToTen.measure({ bench, size }) },
        { what: 'send to all, who wait', reach: 'all', slices: await sendToWaiting(bench, crowd) },
      ])
    },
  },
]
