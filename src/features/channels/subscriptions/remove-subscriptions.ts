import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { ApiError, notPermitted } from '../../../lib/api-error.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import { firstIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { inSteps } from '../../../log/steps.ts'
import { channelByRef, hasMetadataAccess } from '../../kernel/channels/access.ts'
import { channelName } from '../../kernel/channels/names.ts'
import { mayUnsubscribe } from './access.ts'
import { subscriptionLimits } from './limits.ts'
import { checkAllActive, principals } from './principals.ts'
import { unsubscribeUsers } from './unsubscribe-users.ts'

type Principals = string[] | number[] | undefined

/** Returns the subscriptions to end; throws if a change is not allowed. */
export function planRemoving(
  { me, site }: Pick<CallerContext, 'me' | 'site'>,
  realm: RealmState,
  names: string[],
  whom: Principals,
) {
  const { channels, hidden } = channelsNamed(realm, me, names)
  const users = principals(realm, site, me, whom)
  if (hidden.length > 0 && users.some((user) => user.id !== me.id)) throw noSuchChannels(hidden)
  checkAllowed(realm, me, channels, users)
  return { channels, hidden, users }
}

/**
 * Unsubscribes users, in steps of some channels and users. Returns the names of the channels: for each user in turn, one
 * name per channel. Forbidden changes are refused before the first step.
 */
export async function removeSubscriptions(
  { me, site, realm, commit }: CallerContext<'commit'>,
  names: string[],
  whom: Principals,
): Promise<{ removed: string[]; not_removed: string[] }> {
  const { channels, hidden, users } = planRemoving({ me, site }, realm, names, whom)
  const left = new Set<string>()
  const ids = users.map((user) => user.id)
  for (const part of chunksOf(channels, subscriptionLimits.channelsPerStep)) {
    const first = Math.ceil(subscriptionLimits.subscriptionsInFirstStep / part.length)
    await inSteps(commit, ids, first, async (change, some) => {
      const plan = planStep(change.state, me, part, some)
      for (const { user_id, channel_id } of await unsubscribeUsers(change, plan)) {
        left.add(`${user_id}:${channel_id}`)
      }
      return left
    })
  }
  const pairs = users.flatMap((user) => channels.map((channel) => ({ user, channel })))
  const isLeft = ({ user, channel }: (typeof pairs)[number]) => left.has(`${user.id}:${channel.id}`)
  const others = pairs.filter((pair) => !isLeft(pair))
  return {
    removed: pairs.filter(isLeft).map(({ channel }) => channel.name),
    not_removed: [...others.map(({ channel }) => channel.name), ...hidden],
  }
}

/**
 * Returns these channels and users in their current state. Throws if the current user may no longer unsubscribe the users, or if
 * a user is deactivated: others no longer count deactivated users as subscribers.
 */
function planStep(realm: RealmState, { id }: AccountRow, known: ChannelRow[], userIds: number[]) {
  const channels = known.flatMap((channel) => realm.channels.get(channel.id) ?? [])
  const users = userIds.flatMap((userId) => realm.users.get(userId) ?? [])
  checkAllActive(users)
  checkAllowed(realm, realm.users.require(id), channels, users)
  return { channels, users }
}

/**
 * Returns the channels with these names, and the names of those that the user may not see and has never been subscribed
 * to. The user is not subscribed to the latter; to them, these channels do not exist.
 */
function channelsNamed(realm: RealmState, me: AccountRow, sent: string[]) {
  const channels = new Set<ChannelRow>()
  const hidden = new Set<string>()
  const unknown: string[] = []
  for (const name of sent.map(channelName)) {
    const channel = channelByRef(realm, name)
    if (!channel) unknown.push(name)
    else if (realm.subscription(me.id, channel.id) || hasMetadataAccess(realm, me, channel))
      channels.add(channel)
    else hidden.add(name)
  }
  if (unknown.length > 0) throw noSuchChannels(unknown)
  return { channels: [...channels], hidden: [...hidden] }
}

function noSuchChannels(names: string[]) {
  const message = `Channel(s) (${names.join(', ')}) do not exist`
  return new ApiError(message, 'STREAM_DOES_NOT_EXIST', 400, { stream: firstIn(names) })
}

function checkAllowed(realm: RealmState, me: AccountRow, channels: ChannelRow[], users: AccountRow[]) {
  for (const user of users) {
    if (user.id === me.id) continue
    if (!channels.every((channel) => mayUnsubscribe(realm, me, channel, user))) {
      throw notPermitted()
    }
  }
}
