import type { Siblings } from '../../lib/siblings.ts'
import { logLimits } from '../limits.ts'
import { callsOf, type LogNews, partsOf, unsealed } from './news.ts'
import type { NodeNotifier } from './node-notifier.ts'

const topic = 'log'

/**
 * Creates a notifier for the other workers of this server. The primary passes the calls on to other servers, and back.
 */
export function createWorkerNotifier(siblings: Siblings): NodeNotifier {
  return {
    announce(realmId, lastEventId, news) {
      const announcement = { lastEventId, news: news ? [news()] : [] }
      siblings.tell(topic, callsOf(realmId, announcement, logLimits.callBytes, { ...unsealed, marks: true }))
    },
    listen(listener) {
      siblings.hear<string[]>(topic, (calls) => {
        for (const call of calls) {
          const parts = partsOf(call)
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
      const parts = partsOf(call)
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
    const start = `${realmId}:${lastEventId}`
    if (!news) return siblings.tell(topic, [start])
    const [text, mark] = [news.open(), news.epoch === undefined ? '' : `${news.epoch}:`]
    // Without a text, the sender does not have this secret. From nodes, the number alone follows.
    if (text !== undefined) siblings.tell(topic, [`${start}:${mark}${text}`])
  })
}
