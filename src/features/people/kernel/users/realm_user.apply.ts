import { roles } from '../../../../db/roles.ts'
import type { ClientState } from '../../../../queues/client-state.ts'
import { avatarProvider } from '../../../kernel/pictures/addresses.ts'

/** The changed fields of a user, under their names in events. */
export type UserChanges = {
  full_name?: string
  role?: number
  is_active?: boolean
  bot_owner_id?: number | null
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
type User = {
  user_id: number
  email: string
  is_active: boolean
  profile_data?: Record<string, object>
  delivery_email: string | null
  avatar_url: string | null
}
type UserEvent =
  | { op: 'add'; person: User }
  | { op: 'update'; person: { user_id: number } & UserChanges }
  | { op: 'remove'; person: { user_id: number } }

/** The lists of users in a client's state. Lists that the client did not ask for are missing. */
const lists = ['realm_users', 'realm_non_active_users'] as const

export function applyRealmUser(state: ClientState, event: UserEvent) {
  if (event.op === 'update') return update(state, event.person)
  // If the user whom the viewer now sees has a status or presence, events with them follow.
  dropStatusAndPresence(state, event.person.user_id)
  if (event.op === 'add') add(state, event.person)
  else remove(state, event.person.user_id)
}

function add(state: ClientState, { is_active, ...person }: User) {
  const computes = computesAvatars(state)
  remove(state, person.user_id)
  state[is_active ? lists[0] : lists[1]]?.push(computes ? withoutComputable(person) : person)
}

function remove(state: ClientState, id: number) {
  for (const list of lists) {
    if (state[list]) state[list] = state[list].filter((user: User) => user.user_id !== id)
  }
}

function update(
  state: ClientState,
  {
    user_id,
    new_email,
    is_active,
    custom_profile_field: told,
    ...changes
  }: { user_id: number } & UserChanges,
) {
  const all = { ...changes, ...(new_email !== undefined && { email: new_email }) }
  const user = findUser(state, user_id)
  if (user && new_email !== undefined) renamePresence(state, user.email, new_email)
  if (user) updateListed(state, user, all)
  if (user?.profile_data && told) applyProfileValue(user.profile_data, told)
  if (is_active === false) {
    dropStatusAndPresence(state, user_id)
    revoke(state, user_id)
  }
  if (user && is_active !== undefined) relist(state, user, is_active)
  if (state.user_id === user_id) updateOwn(state, all)
}

function findUser(state: ClientState, id: number): User | undefined {
  return lists.flatMap((list) => state[list] ?? []).find((one: User) => one.user_id === id)
}

function updateListed(state: ClientState, user: User, changes: UserChanges) {
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

function relist(state: ClientState, user: User, isActive: boolean) {
  const [to, from] = isActive ? lists : ([lists[1], lists[0]] as const)
  remove(state, user.user_id)
  if (state[from] && state[to]) state[to].push(user)
}

function applyProfileValue(
  data: Record<string, object>,
  { id, ...told }: NonNullable<UserChanges['custom_profile_field']>,
) {
  if (told.value === null) delete data[id]
  else data[id] = told
}

/** Deactivated users, and users whom the viewer does not see, have no status and no presence. */
function dropStatusAndPresence(state: ClientState, id: number) {
  delete state.user_status?.[id]
  delete state.presences?.[id]
  const email = findUser(state, id)?.email
  if (email !== undefined) delete state.presences?.[email]
}

/** Deactivated users are in no group and hold no permission, also for clients that do not have the users. */
function revoke(state: ClientState, id: number) {
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

function updateOwn(state: ClientState, changes: UserChanges) {
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

// A client that computes avatars from emails has no avatar addresses for users whose email it sees, except for users
// who have uploaded one.
function computesAvatars(state: ClientState): boolean {
  return lists.some((list) => state[list]?.some((user: User) => user.avatar_url === null))
}

function withoutComputable<One extends Pick<User, 'delivery_email' | 'avatar_url'>>(user: One): One {
  const isComputable = user.delivery_email !== null && isNobodysPicture(user.avatar_url)
  return isComputable ? { ...user, avatar_url: null } : user
}

/** Returns whether an address is that of a default picture rather than an uploaded one. */
function isNobodysPicture(url: string | null): boolean {
  return url !== null && (url.startsWith(avatarProvider) || url.includes('/drawn/'))
}
