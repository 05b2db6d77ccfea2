import type { Siblings } from '../lib/siblings.ts'
import { logLimits } from './limits.ts'
import { callsOf, type LogNews, partsOf, unsealed } from './news.ts'
import type { NodeNotifier } from './node-notifier.ts'

const topic = 'log'

/** Notifies the other workers of this server directly. The primary passes it on to other servers, and back. */
export function wakeWorkers(siblings: Siblings): NodeNotifier {
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
    // They hear of all organizations.
    async follow() {},
    unfollow() {},
    async close() {},
  }
}

/** For the primary: connects its workers with the nodes that `outside` reaches. */
export function connectWorkers(siblings: Siblings, outside: NodeNotifier) {
  siblings.hear<string[]>(topic, (calls) => {
    for (const call of calls) {
      const parts = partsOf(call)
      if (!parts) continue
      const { realmId, lastEventId, news } = parts
      outside.announce(
        realmId,
        lastEventId,
        news === undefined ? undefined : () => JSON.parse(news) as LogNews,
      )
    }
  })
  outside.listen((realmId, lastEventId, news) => {
    const start = `${realmId}:${lastEventId}`
    if (!news) return siblings.tell(topic, [start])
    const [text, mark] = [news.open(), news.epoch === undefined ? '' : `${news.epoch}:`]
    // Without a text, it is not of a node with this secret. From nodes, the number alone follows.
    if (text !== undefined) siblings.tell(topic, [`${start}:${mark}${text}`])
  })
}
