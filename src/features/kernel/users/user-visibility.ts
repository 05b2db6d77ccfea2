import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { mapInSlices } from '../../../lib/async/time-slice.ts'
import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isActive } from '../channels/access.ts'
import { hasRealmPermission } from '../groups/access.ts'

/**
 * Returns whether a viewer may see a user. Every viewer may, unless the organization limits guests. Guests then see
 * bots and the users with whom they share a channel or a conversation.
 */
export function canSeeUser(realm: RealmState, viewer: AccountRow, user: AccountRow): boolean {
  if (canSeeAllUsers(realm, viewer)) return true
  if (viewer.id === user.id || user.bot_type !== null) return true
  return shareChannel(realm, viewer, user) || shareConversation(realm, viewer, user)
}

/** Returns the function that says whether the viewer may see a user, for use with many users. */
export function visibleUsersFilter(realm: RealmState, viewer: AccountRow): (user: AccountRow) => boolean {
  if (canSeeAllUsers(realm, viewer)) return () => true
  const known = knownFromConversations(realm, viewer)
  for (const channel of channelsOf(realm, viewer)) addSubscribers(realm, channel, known)
  return isBotOrIn(known)
}

/**
 * Returns the same for a viewer who may not see all users, made in slices of the event loop's time: a viewer may share many large
 * channels. What it is made from may change in between.
 */
export async function visibleUsersInSlices(
  realm: RealmState,
  viewer: AccountRow,
): Promise<(user: AccountRow) => boolean> {
  const known = knownFromConversations(realm, viewer)
  await mapInSlices(channelsOf(realm, viewer), (channel) => addSubscribers(realm, channel, known))
  return isBotOrIn(known)
}

function knownFromConversations(realm: RealmState, viewer: AccountRow): Set<number> {
  const known = new Set([viewer.id])
  for (const { user_ids } of realm.conversationsOfUser(viewer.id))
    for (const id of user_ids ?? []) known.add(id)
  return known
}

function channelsOf(realm: RealmState, viewer: AccountRow): number[] {
  return Array.from(realm.subscriptionsOfUser(viewer.id)).flatMap((own) =>
    isActive(own) ? [own.channel_id] : [],
  )
}

function addSubscribers(realm: RealmState, channelId: number, known: Set<number>) {
  for (const other of realm.subscriptionsOfChannel(channelId)) if (isActive(other)) known.add(other.user_id)
}

function isBotOrIn(known: ReadonlySet<number>) {
  return (user: AccountRow) => user.bot_type !== null || known.has(user.id)
}

/** Returns whether a viewer may see all users. */
export function canSeeAllUsers(realm: RealmState, viewer: AccountRow): boolean {
  return viewer.role !== roles.guest || hasRealmPermission(realm, viewer, 'can_access_all_users_group')
}

/** Returns the active guests of whom this holds and who may not see all users. */
export function limitedGuests(realm: RealmState, holds: (userId: number) => boolean): AccountRow[] {
  return activeGuests(realm).filter((guest) => holds(guest.id) && !canSeeAllUsers(realm, guest))
}

/** Returns the ids of the active guests who may not see a user. */
export function guestsWhoCannotSee(realm: RealmState, user: AccountRow): number[] {
  return limitedGuests(realm, (id) => id !== user.id)
    .filter((guest) => !canSeeUser(realm, guest, user))
    .map(({ id }) => id)
}

const activeGuests = derived(
  (realm) => realm.users.version,
  (realm) => [...realm.users.values()].filter((user) => user.role === roles.guest && user.is_active),
)

function shareChannel(realm: RealmState, viewer: AccountRow, user: AccountRow) {
  for (const subscription of realm.subscriptionsOfUser(viewer.id)) {
    const theirs = realm.subscription(user.id, subscription.channel_id)
    if (theirs && isActive(subscription) && isActive(theirs)) return true
  }
  return false
}

function shareConversation(realm: RealmState, viewer: AccountRow, user: AccountRow) {
  for (const { user_ids } of realm.conversationsOfUser(viewer.id)) {
    if (user_ids?.includes(user.id)) return true
  }
  return false
}
