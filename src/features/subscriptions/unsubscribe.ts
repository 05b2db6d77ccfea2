import { z } from 'zod'
import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { strings } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { channelByRef, hasMetadataAccess } from '../channels/access.ts'
import { mayUnsubscribe } from './access.ts'
import { principals, principalsParam } from './principals.ts'
import { unsubscribeUsers } from './unsubscribe-users.ts'

export const unsubscribe = command('DELETE /users/me/subscriptions', {
  summary: 'Unsubscribe yourself or others from channels',
  access: user,
  params: { subscriptions: strings(), principals: principalsParam().optional() },
  returns: { removed: z.array(z.string()), not_removed: z.array(z.string()) },
  async handle({ realm, me, params, site, commit }) {
    const plan = (state: RealmState) => {
      const channels = knownChannels(state, me, params.subscriptions)
      const users = principals(state, site, me, params.principals)
      checkAllowed(state, me, channels, users)
      return { channels, users }
    }
    plan(realm) // refuses what it can before anything waits for it
    const { removed, notSubscribed } = await commit((change) => unsubscribeUsers(change, plan(change.state)))
    return { removed: names(removed), not_removed: names(notSubscribed) }
  },
})

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
      throw badRequest('Insufficient permission')
    }
  }
}

function names(channels: ChannelRow[]) {
  return channels.map((channel) => channel.name)
}
