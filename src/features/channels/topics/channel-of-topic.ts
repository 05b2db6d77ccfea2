import type { Reader } from '../../../db/database.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { channelByRef, hasMetadataAccess } from '../../kernel/channels/access.ts'
import { type VisibilityPolicy, visibility } from '../../kernel/topics/visibility.ts'

/**
 * Returns the channel for a request about one of its topics, if the user may see it. A policy can be removed even where
 * none can be set: in an archived channel, and in one that the user can no longer see.
 */
export async function channelOfTopic(
  { realm, me, read }: CallerContext<'read'>,
  ref: number | string,
  policy: VisibilityPolicy,
): Promise<ChannelRow | undefined> {
  const channel = channelByRef(realm, ref)
  if (!channel) return undefined
  const isKnown = hasMetadataAccess(realm, me, channel)
  if (policy !== visibility.none) return isKnown && !channel.is_archived ? channel : undefined
  return isKnown || (await hasTopicPolicy(read, me, channel)) ? channel : undefined
}

async function hasTopicPolicy(read: Reader, me: AccountRow, channel: ChannelRow) {
  const found = await read
    .selectFrom('user_topic')
    .where('realm_id', '=', me.realm_id)
    .where('user_id', '=', me.id)
    .where('channel_id', '=', channel.id)
    .select('id')
    .executeTakeFirst()
  return found !== undefined
}
