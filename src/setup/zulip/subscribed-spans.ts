import type { Interval } from '../../db/values.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import type { ZulipExport } from './zulip-export.ts'

/** When the audit log says that a subscription begins, or ends: as numbers, and as the words of old versions. */
const begins: ReadonlySet<unknown> = new Set([301, 302, 'subscription_created', 'subscription_activated'])
const ends: ReadonlySet<unknown> = new Set([303, 'subscription_deactivated'])

/** Returns, of a user and a channel, from which message to which the audit log of an export says that they were subscribed. */
export function spansInAuditLog(source: ZulipExport): (userId: number, channelId: number) => Interval[] {
  const entries = source
    .rows('zerver_realmauditlog')
    .filter(({ event_type }) => begins.has(event_type) || ends.has(event_type))
    .sort((a, b) => a.id - b.id)
  const byPair = groupBy(
    entries,
    ({ modified_user, modified_stream }) => `${modified_user} ${modified_stream}`,
  )
  return (userId, channelId) => {
    const spans: Interval[] = []
    for (const { event_type, event_last_message_id } of byPair.get(`${userId} ${channelId}`) ?? []) {
      const next = Math.max(event_last_message_id ?? 0, 0) + 1
      const last = spans.at(-1)
      const isOpen = last?.[1] === null
      if (begins.has(event_type) && !isOpen) spans.push([next, null])
      else if (ends.has(event_type) && last && isOpen) last[1] = Math.max(next, last[0])
    }
    return spans
  }
}
