import type { Entry } from '../../../log/entry.ts'
import type { RealmLog } from '../../../log/realm-log.ts'
import type { Realms } from '../../../log/realms.ts'
import { emitActivity } from './activity.ts'

/**
 * Makes channels active as soon as somebody writes there again. It looks in memory at what has been sent, afterwards, so
 * it costs a send next to nothing. Should the node die in between, the next measurement makes up for it.
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

/** Channels in which messages have been sent though they do not count as active. */
function* quietOnes({ state }: RealmLog, entries: Entry[]): Iterable<number> {
  for (const { audience } of entries) {
    if (!audience?.message) continue
    const { channel_id } = state.recipients.get(audience.message.recipient) ?? {}
    if (channel_id && isQuiet(state, channel_id)) yield channel_id
  }
}

function isQuiet(state: RealmLog['state'], channelId: number): boolean {
  const channel = state.channels.get(channelId)
  // That a channel is archived is said in a message, too; its clients are not to hear more.
  return channel !== undefined && !channel.is_recently_active && !channel.is_archived
}

/** Another node may have been faster. */
function reactivate(log: RealmLog, channelId: number): Promise<void> {
  return log.commit(async (change) => {
    if (!isQuiet(change.state, channelId)) return
    const channel = await change.update('channel', { id: channelId, is_recently_active: true })
    emitActivity(change, channel, true)
  })
}
