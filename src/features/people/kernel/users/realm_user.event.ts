import type { AccountRow } from '../../../../db/schema.ts'
import { roles } from '../../../../http/access.ts'
import type { Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import type { ClientState, EventType, Listener } from '../../../../queues/event-type.ts'
import {
  apiEmail,
  avatarProvider,
  avatarUrl,
  emailVisibility,
  seesEmail,
  seesEmailAt,
  sharedView,
  type UserView,
  unknownName,
  unknownUserView,
  userView,
} from '../../../kernel/users/user-view.ts'
import { canSeeUser } from '../../../kernel/users/user-visibility.ts'

/** A user has been created. Fields that differ by viewer are filled in for each listener. */
type Add = { type: 'realm_user'; op: 'add'; person: ReturnType<typeof sharedView> }

/** The changed fields of a user, under their names in events. */
type Changes = {
  full_name?: string
  role?: number
  is_active?: boolean
  bot_owner_id?: number
  /** The real address; null for listeners who no longer see it. */
  delivery_email?: string | null
  /** The address by which the API knows the user. */
  new_email?: string
  email?: string
  timezone?: string
  avatar_source?: string
  avatar_url?: string | null
  avatar_url_medium?: string | null
  avatar_version?: number
  /** The user's value of a profile field; null if it was removed. */
  custom_profile_field?: { id: number; value: string | null; rendered_value?: string }
}
type Update = { type: 'realm_user'; op: 'update'; person: { user_id: number } & Changes }

/** A user has changed who sees their address. Each listener receives the changes that concern them. */
type Shown = {
  type: 'realm_user'
  op: 'update'
  person: Update['person']
  visibility: [from: number, to: number]
}

/** The listener may now see the user, or no longer may: the current state decides on delivery. */
type Sight = { type: 'realm_user'; op: 'sight'; person: { user_id: number } }

type Remove = { type: 'realm_user'; op: 'remove'; person: { user_id: number; full_name: string } }

type RealmUserEvent = Add | Update | Shown | Sight
type OnWire = { type: 'realm_user'; op: 'add'; person: UserView } | Update | Remove

export function userAdded(realm: RealmState, site: Site, user: AccountRow): Add {
  return { type: 'realm_user', op: 'add', person: sharedView(realm, site, user) }
}

export function userUpdated(userId: number, changes: Changes): Update {
  return { type: 'realm_user', op: 'update', person: { user_id: userId, ...changes } }
}

/** Emitted to all users. Only users for whom the visibility of the address changed receive it. */
export function emailShown(before: AccountRow, after: AccountRow): Shown {
  const person = { user_id: after.id, delivery_email: after.delivery_email }
  return {
    type: 'realm_user',
    op: 'update',
    person,
    visibility: [emailVisibility(before), emailVisibility(after)],
  }
}

/** Reports the current avatar, after a change of it or of the address that it is computed from. */
export function avatarChanged(realm: RealmState, site: Site, user: AccountRow): Update {
  return userUpdated(user.id, avatarView(realm, site, user))
}

function avatarView(realm: RealmState, site: Site, user: AccountRow) {
  const { avatar_source, avatar_version } = user
  const url = (medium: boolean) =>
    avatarUrl(realm, site, user, { clientComputes: false, medium, viewer: user })
  return { avatar_source, avatar_url: url(false), avatar_url_medium: url(true), avatar_version }
}

export function profileValueChanged(
  userId: number,
  id: number,
  value: { value: string; rendered_value?: string } | null,
): Update {
  return userUpdated(userId, { custom_profile_field: { id, ...(value ?? { value: null }) } })
}

export function sightOfUser(id: number): Sight {
  return { type: 'realm_user', op: 'sight', person: { user_id: id } }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    realm_user: RealmUserEvent
  }
}

export const realmUserEvent = {
  type: 'realm_user',

  variant(event, { state, me, queue }) {
    const user = state.users.get(event.person.user_id)
    if (!user) return null
    if (!canSeeUser(state, me, user)) {
      if (event.op !== 'update' && !queue.options.capabilities.user_list_incomplete) return 'unknown'
      return event.op === 'sight' ? 'lost' : null
    }
    const sees = seesEmail(me, user)
    if ('visibility' in event) return shownTo(event, me, user)
    const moment = namesAddress(event) ? `as of ${state.users.version}` : ''
    if (event.op !== 'update') return `${sees ? 'full' : 'without e-mail'} ${moment}`
    return typeof event.person.delivery_email === 'string' && !sees ? null : moment
  },

  wire(event, listener: Listener): OnWire {
    const { state, site, me } = listener
    if ('visibility' in event) {
      const { visibility: _, ...shown } = event
      const sees = seesEmailAt(me, state.users.get(event.person.user_id)!, event.visibility[1])
      return sees ? shown : { ...shown, person: { ...shown.person, delivery_email: null } }
    }
    const user = state.users.get(event.person.user_id)!
    if (event.op === 'update')
      return namesAddress(event) ? withPresentAddress(state, site, user, event) : event
    if (!canSeeUser(state, me, user)) return unknownOnWire(event, user, listener)
    const view = userView(state, site, user, { viewer: me, clientGravatar: false, includeProfile: true })
    return { type: 'realm_user', op: 'add', person: { ...view, ...event.person, email: view.email } }
  },

  apply(state: ClientState, event: OnWire) {
    if (event.op === 'add') return add(state, event.person)
    if (event.op === 'remove') return remove(state, event.person.user_id)
    update(state, event.person)
  },
} satisfies EventType<RealmUserEvent>

/**
 * Removes a hidden user for clients that support incomplete user lists. For other clients, the user loses their name.
 */
function unknownOnWire({ op }: Add | Sight, user: AccountRow, { state, site, queue }: Listener): OnWire {
  const isGone = op === 'sight' && queue.options.capabilities.user_list_incomplete
  if (isGone) {
    return { type: 'realm_user', op: 'remove', person: { user_id: user.id, full_name: unknownName } }
  }
  const person = { ...unknownUserView(state, site, user), is_active: true }
  return { type: 'realm_user', op: 'add', person }
}

/** Returns whether an event contains the address by which the API knows the user, directly or in an avatar. */
function namesAddress({ op, person }: Add | Update | Sight) {
  return op !== 'update' || ['email', 'new_email', 'avatar_url'].some((name) => name in person)
}

/** Replaces that address by the current one: it may have been hidden since. */
function withPresentAddress(realm: RealmState, site: Site, user: AccountRow, event: Update): Update {
  const { person } = event
  const email = apiEmail(realm, site, user)
  return userUpdated(user.id, {
    ...person,
    ...('email' in person && { email }),
    ...('new_email' in person && { new_email: email }),
    ...('avatar_url' in person && avatarView(realm, site, user)),
  })
}

function shownTo({ visibility: [from, to] }: Shown, me: AccountRow, user: AccountRow): string | null {
  const [saw, sees] = [seesEmailAt(me, user, from), seesEmailAt(me, user, to)]
  if (saw === sees) return null
  if (!sees) return 'hidden'
  // It may have been hidden again in the meantime.
  return seesEmail(me, user) ? 'shown' : null
}

/** The lists of users in a client's state. Lists that the client did not ask for are missing. */
const lists = ['realm_users', 'realm_non_active_users'] as const

function add(state: ClientState, { is_active, ...person }: UserView) {
  const computes = computesAvatars(state)
  remove(state, person.user_id)
  state[is_active ? lists[0] : lists[1]]?.push(computes ? withoutComputable(person) : person)
}

function remove(state: ClientState, id: number) {
  for (const list of lists) {
    if (state[list]) state[list] = state[list].filter((user: UserView) => user.user_id !== id)
  }
}

function update(
  state: ClientState,
  { user_id, new_email, is_active, custom_profile_field: told, ...changes }: Update['person'],
) {
  const all = { ...changes, ...(new_email !== undefined && { email: new_email }) }
  const user = lists.flatMap((list) => state[list] ?? []).find((one: UserView) => one.user_id === user_id)
  if (user && new_email !== undefined) renamePresence(state, user.email, new_email)
  if (user) updateListed(state, user, all)
  if (user?.profile_data && told) applyProfileValue(user.profile_data, told)
  if (user && is_active !== undefined) relist(state, user, is_active)
  if (state.user_id === user_id) updateOwn(state, all)
}

function updateListed(state: ClientState, user: UserView, changes: Changes) {
  const { avatar_source: _, avatar_url_medium: __, ...shown } = changes
  const computes = computesAvatars(state)
  Object.assign(user, shown)
  if (changes.role !== undefined) Object.assign(user, rightsOf(changes.role))
  if (computes) Object.assign(user, withoutComputable(user))
}

/** Old clients identify presences by the API's address of the user. */
function renamePresence({ presences }: ClientState, from: string, to: string) {
  if (presences?.[from] === undefined) return
  presences[to] = presences[from]
  if (from !== to) delete presences[from]
}

function relist(state: ClientState, user: UserView, isActive: boolean) {
  if (!isActive) forget(state, user.user_id)
  const [to, from] = isActive ? lists : ([lists[1], lists[0]] as const)
  remove(state, user.user_id)
  if (state[from] && state[to]) state[to].push(user)
}

function applyProfileValue(
  data: Record<string, object>,
  { id, ...told }: NonNullable<Changes['custom_profile_field']>,
) {
  if (told.value === null) delete data[id]
  else data[id] = told
}

/** Deactivated users are in no group and hold no permission. */
function forget(state: ClientState, id: number) {
  for (const group of state.realm_user_groups ?? []) {
    group.members = group.members.filter((member: number) => member !== id)
  }
  const lists = ['realm_user_groups', 'streams', 'subscriptions', 'unsubscribed', 'never_subscribed']
  for (const holder of [state, ...lists.flatMap((list) => state[list] ?? [])]) {
    for (const value of Object.values(holder) as { direct_members?: number[] }[]) {
      if (value?.direct_members) value.direct_members = value.direct_members.filter((one) => one !== id)
    }
  }
}

function updateOwn(state: ClientState, changes: Changes) {
  for (const [name, value] of Object.entries(changes)) if (name in state) state[name] = value
  if (changes.role === undefined || !('is_admin' in state)) return
  const { is_admin, is_owner, is_guest } = rightsOf(changes.role)
  Object.assign(state, { is_admin, is_owner, is_guest, is_moderator: changes.role <= roles.moderator })
}

function rightsOf(role: number) {
  return {
    is_admin: role <= roles.administrator,
    is_owner: role === roles.owner,
    is_guest: role === roles.guest,
  }
}

// A client that computes avatars from e-mails has no avatar addresses for users whose e-mail it sees, except for users
// who have uploaded one.
function computesAvatars(state: ClientState): boolean {
  return lists.some((list) => state[list]?.some((user: UserView) => user.avatar_url === null))
}

function withoutComputable<User extends Pick<UserView, 'delivery_email' | 'avatar_url'>>(user: User): User {
  const isComputable = user.delivery_email !== null && isNobodysPicture(user.avatar_url)
  return isComputable ? { ...user, avatar_url: null } : user
}

/** Returns whether an address is that of a default picture rather than an uploaded one. */
function isNobodysPicture(url: string | null): boolean {
  return url !== null && (url.startsWith(avatarProvider) || url.includes('/drawn/'))
}
