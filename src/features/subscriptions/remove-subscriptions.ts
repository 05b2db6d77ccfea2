import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { badRequest, notPermitted } from '../../lib/api-error.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { channelByRef, hasMetadataAccess } from '../channels/access.ts'
import { mayUnsubscribe } from './access.ts'
import { principals } from './principals.ts'
import { unsubscribeUsers } from './unsubscribe-users.ts'

type Asking = { me: AccountRow; site: Site }
type Principals = string[] | number[] | undefined

/** Who is to be unsubscribed from what; throws what is not allowed. */
export function planRemoving({ me, site }: Asking, realm: RealmState, names: string[], whom: Principals) {
  const channels = knownChannels(realm, me, names)
  const users = principals(realm, site, me, whom)
  checkAllowed(realm, me, channels, users)
  return { channels, users }
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
  return { removed: namesOf(removed), not_removed: namesOf(notSubscribed) }
}

/** The channels of these names. Those that one may not know of do not exist, unless one has been in them. */
function knownChannels(realm: RealmState, me: AccountRow, sent: string[]): ChannelRow[] {
  const channels = new Set<ChannelRow>()
  const unknown: string[] = []
  for (const name of sent) {
    const channel = channelByRef(realm, name)
    const known = channel && (realm.subscription(me.id, channel.id) || hasMetadataAccess(realm, me, channel))
    if (known) channels.add(channel)
    else unknown.push(name)
  }
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(', ')}) do not exist`)
  return [...channels]
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
