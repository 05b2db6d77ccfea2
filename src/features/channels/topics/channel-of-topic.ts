import type { Reader } from '../../../db/database.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelByRef, hasMetadataAccess, invalidChannelId } from '../../kernel/channels/access.ts'
import {
  chooseVisibility,
  type TopicPlace,
  type VisibilityPolicy,
  visibility,
} from '../../kernel/topics/visibility.ts'

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
  if (policy !== visibility.none) return takesPolicies(realm, me, channel) ? channel : undefined
  const isKnown = hasMetadataAccess(realm, me, channel)
  return isKnown || (await hasTopicPolicy(read, me, channel)) ? channel : undefined
}

/** Sets the policy in such a channel. Throws if the user can set none there any more. */
export function choosePolicy(change: Change, me: AccountRow, place: TopicPlace, policy: VisibilityPolicy) {
  const { channels, users } = change.state
  const isPossible = takesPolicies(change.state, users.require(me.id), channels.require(place.channelId))
  if (policy !== visibility.none && !isPossible) throw invalidChannelId()
  return chooseVisibility(change, me, place, policy)
}

function takesPolicies(realm: RealmState, me: AccountRow, channel: ChannelRow) {
  return !channel.is_archived && hasMetadataAccess(realm, me, channel)
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
