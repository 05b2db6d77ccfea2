import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { ApiError, notPermitted } from '../../lib/api-error.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { channelByRef, hasMetadataAccess } from '../channels/access.ts'
import { channelName } from '../channels/names.ts'
import { mayUnsubscribe } from './access.ts'
import { principals } from './principals.ts'
import { unsubscribeUsers } from './unsubscribe-users.ts'

type Asking = { me: AccountRow; site: Site }
type Principals = string[] | number[] | undefined

/** Who is to be unsubscribed from what; throws what is not allowed. */
export function planRemoving({ me, site }: Asking, realm: RealmState, names: string[], whom: Principals) {
  const { channels, hidden } = channelsNamed(realm, me, names)
  const users = principals(realm, site, me, whom)
  if (hidden.length > 0 && users.some((user) => user.id !== me.id)) throw noSuchChannels(hidden)
  checkAllowed(realm, me, channels, users)
  return { channels, hidden, users }
}

/** Unsubscribes; answers the names of the channels, by channel of every user in turn. */
export async function removeSubscriptions(
  { me: { id }, site }: Asking,
  change: Change,
  names: string[],
  whom: Principals,
): Promise<{ removed: string[]; not_removed: string[] }> {
  const plan = planRemoving({ me: change.state.users.get(id)!, site }, change.state, names, whom)
  const { removed, notSubscribed } = await unsubscribeUsers(change, plan)
  return { removed: namesOf(removed), not_removed: [...namesOf(notSubscribed), ...plan.hidden] }
}

/**
 * The channels of these names, and the names of those that one may not know of and has never been in. Such one is not
 * subscribed to; from the outside, they do not exist.
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
  return new ApiError(message, 'STREAM_DOES_NOT_EXIST', 400, { stream: names[0]! })
}

function checkAllowed(realm: RealmState, me: AccountRow, channels: ChannelRow[], users: AccountRow[]) {
  for (const user of users) {
    if (user.id === me.id) continue
    if (!channels.every((channel) => mayUnsubscribe(realm, me, channel, user))) {
      throw notPermitted()
    }
  }
}

function namesOf(channels: ChannelRow[]) {
  return channels.map((channel) => channel.name)
}
