import type { AccountRow } from '../../../../db/schema.ts'
import type { Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import type { EventType, Listener } from '../../../../queues/event-type.ts'
import {
  apiEmail,
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
import { applyRealmUser, type UserChanges } from './realm_user.apply.ts'

/** A user has been created. Fields that differ by viewer are filled in for each listener. */
type Add = { type: 'realm_user'; op: 'add'; person: ReturnType<typeof sharedView> }

type Update = { type: 'realm_user'; op: 'update'; person: { user_id: number } & UserChanges }

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

export function userUpdated(userId: number, changes: UserChanges): Update {
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

export function userVisibilityChanged(id: number): Sight {
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
    if (event.op !== 'update') return `${sees ? 'full' : 'without email'} ${moment}`
    return typeof event.person.delivery_email === 'string' && !sees ? null : moment
  },

  wire(event, listener: Listener): OnWire {
    const { state, site, me } = listener
    if ('visibility' in event) {
      const { visibility: _, ...shown } = event
      const sees = seesEmailAt(me, state.users.require(event.person.user_id), event.visibility[1])
      return sees ? shown : { ...shown, person: { ...shown.person, delivery_email: null } }
    }
    const user = state.users.require(event.person.user_id)
    if (event.op === 'update')
      return namesAddress(event) ? withPresentAddress(state, site, user, event) : event
    if (!canSeeUser(state, me, user)) return unknownOnWire(event, user, listener)
    const view = userView(state, site, user, { viewer: me, clientGravatar: false, includeProfile: true })
    return { type: 'realm_user', op: 'add', person: { ...view, ...event.person, email: view.email } }
  },

  apply: applyRealmUser,
} satisfies EventType<RealmUserEvent, unknown, OnWire>

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
