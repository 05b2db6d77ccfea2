import type { ChannelRow, MessageRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { topicAddress } from '../../../../markdown/narrow-address.ts'

/** Returns the URL where clients show a message in its context. `url` is the address of the organization. */
export function messageUrl(
  url: string,
  realm: RealmState,
  message: Pick<MessageRow, 'id' | 'recipient_id' | 'topic'>,
): string {
  const { channel_id, user_ids } = realm.recipients.require(message.recipient_id)
  if (user_ids) {
    const kind = user_ids.length > 2 ? 'group' : 'dm'
    return `${url}/#narrow/dm/${user_ids.join()}-${kind}/near/${message.id}`
  }
  return channelMessageUrl(url, realm.channels.require(channel_id), message)
}

/** Returns the URL of a message that is, or will be, in this channel. */
export function channelMessageUrl(
  url: string,
  channel: Pick<ChannelRow, 'id' | 'name'>,
  { id, topic }: Pick<MessageRow, 'id' | 'topic'>,
): string {
  return `${url}${topicAddress(channel, topic)}/near/${id}`
}
