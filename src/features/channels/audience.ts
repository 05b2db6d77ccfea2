import type { ChannelRow } from '../../db/schema.ts'
import { isAdministrator, roles } from '../../http/access.ts'
import type { Audience } from '../../log/entry.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { systemGroupId } from '../groups/access.ts'
import { activeSubscription, grantingPermissions, hasMetadataAccess } from './access.ts'

/** Everybody who may know of a channel, as `hasMetadataAccess` has it, and whoever `also` names. */
export function channelAudience(
  realm: RealmState,
  channel: ChannelRow,
  also: Iterable<number> = [],
): Audience {
  if (channel.is_web_public) return { everyone: true }
  if (!channel.is_private)
    return { nonGuests: true, users: unique([...guestSubscribers(realm, channel), ...also]) }
  return { users: unique([...insiders(realm, channel), ...also]) }
}

/** The guests who are subscribed to a channel: the only ones who know of a public one. */
export function guestSubscribers(realm: RealmState, channel: ChannelRow): number[] {
  const ids: number[] = []
  for (const { user_id } of realm.subscriptionsOfChannel(channel.id)) {
    if (realm.users.get(user_id)?.role !== roles.guest) continue
    if (activeSubscription(realm, user_id, channel.id)) ids.push(user_id)
  }
  return ids
}

// Asking each user about each group is slow in a large organization; most channels grant nothing to most people.
function insiders(realm: RealmState, channel: ChannelRow): number[] {
  const nobody = systemGroupId(realm, 'role:nobody')
  const named = grantingPermissions
    .map((name) => channel.permissions[name])
    .filter((value) => value !== nobody)
  const groups = named.some(
    (value) => typeof value === 'number' || (value && value.direct_subgroups.length > 0),
  )
  const people = new Set(named.flatMap((value) => (typeof value === 'object' ? value.direct_members : [])))
  const ids: number[] = []
  for (const user of realm.users.values()) {
    if (!user.is_active) continue
    const possible =
      groups ||
      people.has(user.id) ||
      isAdministrator(user) ||
      realm.subscription(user.id, channel.id) !== undefined
    if (possible && hasMetadataAccess(realm, user, channel)) ids.push(user.id)
  }
  return ids
}

function unique(ids: number[]) {
  return [...new Set(ids)]
}
