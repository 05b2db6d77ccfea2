import type { Reader } from '../../../db/database.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelByRef, hasMetadataAccess } from '../../kernel/channels/access.ts'
import { type VisibilityPolicy, visibility } from '../../kernel/topics/visibility.ts'

type Asking = { realm: RealmState; me: AccountRow; read: Reader }

/**
 * The channel that a wish for one of its topics names, if the user may know of it. A wish can be taken back where none can
 * be made: in an archived channel, and in one that the user has lost sight of since.
 */
export async function channelOfTopic(
  { realm, me, read }: Asking,
  ref: number | string,
  policy: VisibilityPolicy,
): Promise<ChannelRow | undefined> {
  const channel = channelByRef(realm, ref)
  if (!channel) return undefined
  const isKnown = hasMetadataAccess(realm, me, channel)
  if (policy !== visibility.none) return isKnown && !channel.is_archived ? channel : undefined
  return isKnown || (await hasWishes(read, me, channel)) ? channel : undefined
}

async function hasWishes(read: Reader, me: AccountRow, channel: ChannelRow) {
  const found = await read
    .selectFrom('user_topic')
    .where('realm_id', '=', me.realm_id)
    .where('user_id', '=', me.id)
    .where('channel_id', '=', channel.id)
    .select('id')
    .executeTakeFirst()
  return found !== undefined
}
