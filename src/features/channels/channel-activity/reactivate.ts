import type { Entry } from '../../../log/entry.ts'
import type { RealmLog } from '../../../log/realm-log.ts'
import type { Realms } from '../../../log/realms.ts'
import { emitActivity } from './activity.ts'

/**
 * Marks channels as active as soon as they receive a message again. It checks new messages in memory, after they have
 * been sent, so a send costs almost nothing more. If the node stops in between, the next measurement corrects the
 * state.
 */
export function reactivateChannels(
  realms: Realms,
  report: (error: unknown) => void,
): { close(): Promise<void> } {
  const underWay = new Map<string, Promise<void>>()
  realms.listen((log, entries) => {
    for (const id of quietOnes(log, entries)) {
      const key = `${log.state.id}:${id}`
      if (underWay.has(key)) continue
      const change = reactivate(log, id)
        .catch(report)
        .finally(() => underWay.delete(key))
      underWay.set(key, change)
    }
  })
  return {
    async close() {
      await Promise.all(underWay.values())
    },
  }
}

/** Yields channels that have received messages although they are marked as inactive. */
function* quietOnes({ state }: RealmLog, entries: Entry[]): Iterable<number> {
  for (const { audience } of entries) {
    if (!audience?.message) continue
    const { channel_id } = state.recipients.get(audience.message.recipient) ?? {}
    if (channel_id && isQuiet(state, channel_id)) yield channel_id
  }
}

function isQuiet(state: RealmLog['state'], channelId: number): boolean {
  const channel = state.channels.get(channelId)
  // The notice of archiving is a message, too. Clients receive no other event about an archived channel.
  return channel !== undefined && !channel.is_recently_active && !channel.is_archived
}

/** Another node may have done so already. */
function reactivate(log: RealmLog, channelId: number): Promise<void> {
  return log.commit(async (change) => {
    if (!isQuiet(change.state, channelId)) return
    const channel = await change.update('channel', { id: channelId, is_recently_active: true })
    emitActivity(change, channel, true)
  })
}
