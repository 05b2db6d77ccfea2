import type { Siblings } from '../../lib/siblings.ts'
import { logLimits } from '../limits.ts'
import { callOf, callsFor, type LogNews, parseCall, plainNews } from './news.ts'
import type { NodeNotifier } from './node-notifier.ts'

const topic = 'log'

const codec = { ...plainNews, marksEpoch: true }

/**
 * Creates a notifier for the other workers of this server. The primary passes the calls on to other servers, and back.
 */
export function createWorkerNotifier(siblings: Siblings): NodeNotifier {
  return {
    announce(realmId, lastEventId, news) {
      const announcement = { lastEventId, news: news ? [news()] : [] }
      siblings.tell(topic, callsFor(realmId, announcement, logLimits.callBytes, codec))
    },
    listen(listener) {
      siblings.hear<string[]>(topic, (calls) => {
        for (const call of calls) {
          const parts = parseCall(call)
          if (!parts) continue
          const { realmId, lastEventId, epoch, news } = parts
          listener(realmId, lastEventId, news === undefined ? undefined : { epoch, open: () => news })
        }
      })
    },
    // Workers receive the calls of all organizations.
    async follow() {},
    unfollow() {},
    async close() {},
  }
}

/** Connects the workers of a primary with the nodes that the adapters reach. */
export function connectWorkers(siblings: Siblings, adapters: NodeNotifier) {
  siblings.hear<string[]>(topic, (calls) => {
    for (const call of calls) {
      const parts = parseCall(call)
      if (!parts) continue
      const { realmId, lastEventId, news } = parts
      adapters.announce(
        realmId,
        lastEventId,
        news === undefined ? undefined : () => JSON.parse(news) as LogNews,
      )
    }
  })
  adapters.listen((realmId, lastEventId, news) => {
    if (!news) return siblings.tell(topic, [callOf({ realmId, lastEventId })])
    const text = news.open()
    // Without a text, the sender does not have this secret. From nodes, the number alone follows.
    if (text !== undefined)
      siblings.tell(topic, [callOf({ realmId, lastEventId, epoch: news.epoch, news: text })])
  })
}
