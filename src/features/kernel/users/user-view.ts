import { createHash } from 'node:crypto'
import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator, roles } from '../../../http/access.ts'
import { realmHost, realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { avatarName } from '../avatars/avatar-names.ts'
import { isSpectator } from '../channels/web-public.ts'
import { patternUrl, pictureUrl } from '../pictures/addresses.ts'
import { profileData } from '../profile-fields/field-view.ts'
import { type UserSettings, userSettingDefaults } from './settings.ts'
import { systemBotAvatarPath } from './system-bot-avatars.ts'
import { visibleUsersFilter } from './user-visibility.ts'

/** How a user looks to whom. */
type UserFormat = {
  viewer: AccountRow
  /** The client computes the addresses of avatars that come from the external provider. */
  clientGravatar: boolean
  /** With profile_data, which only people have. */
  includeProfile?: boolean
}

/** The user object of the wire. */
export function userView(realm: RealmState, site: Site, user: AccountRow, format: UserFormat) {
  const { viewer, clientGravatar, includeProfile } = format
  return {
    ...sharedView(realm, site, user),
    delivery_email: seesEmail(viewer, user) ? user.delivery_email : null,
    avatar_url: avatarUrl(realm, site, user, { clientComputes: clientGravatar, viewer }),
    bot_type: user.bot_type,
    bot_owner_id: user.bot_owner_id,
    ...(user.bot_type === null && includeProfile && { profile_data: profileData(realm, user.id) }),
  }
}

export type UserView = ReturnType<typeof userView>

/** The bots that every organization has; they are not among realm_users. */
export function crossRealmBots(realm: RealmState, site: Site) {
  return [...realm.users.values()]
    .filter((user) => user.is_system_bot)
    .map((bot) => ({
      ...userView(realm, site, bot, { viewer: bot, clientGravatar: false }),
      is_system_bot: true,
    }))
}

/**
 * Everybody but the system bots, for realm_users (active) and realm_non_active_users of POST /register. Whoever the
 * viewer may not know of is left out for a client with user_list_incomplete; others get a stand-in without a name.
 */
export function realmUsers(
  realm: RealmState,
  site: Site,
  viewer: AccountRow,
  options: { clientGravatar: boolean; active: boolean; userListIncomplete: boolean },
) {
  const { clientGravatar, active, userListIncomplete } = options
  const views: Omit<UserView, 'is_active'>[] = []
  const isKnown = visibleUsersFilter(realm, viewer)
  for (const user of realm.users.values()) {
    if (user.is_system_bot) continue
    if (!isKnown(user)) {
      // Whether somebody unknown is active is nothing to tell, either.
      if (active && !userListIncomplete) views.push(unknownUserView(realm, site, user))
      continue
    }
    if (user.is_active !== active) continue
    const { is_active: _, ...view } = userView(realm, site, user, {
      viewer,
      clientGravatar,
      includeProfile: true,
    })
    views.push(view)
  }
  return views
}

/** The address by which the API knows a user: the real one if everybody may see it, or else one that stands in for it. */
export function apiEmail(realm: RealmState, site: Site, user: AccountRow): string {
  const isPublic = user.bot_type !== null || emailVisibility(user) === emailSeenBy.everyone
  return isPublic ? user.delivery_email : standInEmail(realm, site, user.id)
}

/** The address that stands in for the real one of a user. */
export function standInEmail(realm: RealmState, site: Site, userId: number): string {
  return `user${userId}@${realmHost(site, realm.realm)}`
}

/** Whether a user's real address is shown to somebody. One's own always is, and that of bots. */
export function seesEmail(viewer: AccountRow, user: AccountRow): boolean {
  return seesEmailAt(viewer, user, emailVisibility(user))
}

/** The same if the user had chosen this visibility. */
export function seesEmailAt(viewer: AccountRow, user: AccountRow, chosen: number): boolean {
  if (isSpectator(viewer)) return false
  if (viewer.id === user.id || user.bot_type !== null) return true
  switch (chosen) {
    case emailSeenBy.everyone:
      return true
    case emailSeenBy.members:
      return viewer.role <= roles.member
    case emailSeenBy.moderators:
      return viewer.role <= roles.moderator
    case emailSeenBy.administrators:
      return viewer.role <= roles.administrator
    default:
      return false
  }
}

/**
 * The address of a user's avatar; `medium` is the larger one. Where none was uploaded: null for a client that computes
 * it, if it knows the e-mail to compute it from. A hidden e-mail does not go into the address, where it could be
 * guessed.
 */
export function avatarUrl(
  realm: RealmState,
  site: Site,
  user: AccountRow,
  options: { clientComputes: boolean; medium?: boolean; viewer: AccountRow },
): string | null {
  const { medium = false } = options
  if (user.is_system_bot) return realmUrl(site, realm.realm) + systemBotAvatarPath(user, medium)
  if (user.avatar_file !== null) {
    const name = avatarName(user.avatar_file, { medium })
    return `${pictureUrl(realm.id, name)}?v=${user.avatar_version}`
  }
  if (mayCompute(realm) && options.clientComputes && seesEmail(options.viewer, user)) return null
  if (!usesGravatar(realm)) return `${patternUrl(realm.id, String(user.id), medium)}?v=${user.avatar_version}`
  const email = isSpectator(options.viewer) ? standInEmail(realm, site, user.id) : apiEmail(realm, site, user)
  return gravatarUrl(email, user.avatar_version, medium)
}

/** The avatar of whomever the viewer may not know of: the same whatever they have uploaded. */
export function unknownAvatar(realm: RealmState, site: Site, userId: number): string {
  return usesGravatar(realm)
    ? gravatarUrl(standInEmail(realm, site, userId), 1)
    : `${patternUrl(realm.id, String(userId))}?v=1`
}

/** What everybody sees alike of a user. */
export function sharedView(realm: RealmState, site: Site, user: AccountRow) {
  return {
    email: apiEmail(realm, site, user),
    user_id: user.id,
    avatar_version: user.avatar_version,
    is_admin: isAdministrator(user),
    is_owner: user.role === roles.owner,
    is_guest: user.role === roles.guest,
    role: user.role,
    is_bot: user.bot_type !== null,
    full_name: user.full_name,
    timezone: user.timezone,
    is_active: user.is_active,
    date_joined: dateJoined(user.created_at),
  }
}

/** The name of whomever the viewer may not know of. */
export const unknownName = 'Unknown user'

/** What stands in for a user whom the viewer may not know of. */
export function unknownUserView(
  realm: RealmState,
  site: Site,
  user: AccountRow,
): Omit<UserView, 'is_active'> {
  const email = standInEmail(realm, site, user.id)
  return {
    email,
    user_id: user.id,
    avatar_version: 1,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    role: roles.member,
    is_bot: false,
    full_name: unknownName,
    timezone: '',
    date_joined: dateJoined(realm.realm.created_at),
    delivery_email: null,
    avatar_url: unknownAvatar(realm, site, user.id),
    bot_type: null,
    bot_owner_id: null,
    profile_data: {},
  }
}

/** Whether the organization wants avatars from gravatar.com for those who have uploaded none, who are drawn one otherwise. */
export function usesGravatar({ realm }: RealmState): boolean {
  return realm.settings.gravatar === true
}

/** Whether clients that ask to compute addresses themselves, which they do for gravatar.com, may; an organization can refuse. */
export function mayCompute({ realm }: RealmState): boolean {
  return realm.settings.gravatar !== false
}

/** Where avatars come from, in organizations that want it, that nobody has uploaded. */
export const avatarProvider = 'https://secure.gravatar.com/avatar/'

/** The address of what the provider has for an e-mail address: a picture, or else a pattern. */
export function gravatarUrl(email: string, version: number, medium = false): string {
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex')
  return `${avatarProvider}${hash}?d=identicon${medium ? '&s=500' : ''}&version=${version}`
}

export const emailSeenBy = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 }

/** To whom a user shows their address: one of the numbers of the setting email_address_visibility. */
export function emailVisibility(user: AccountRow): number {
  // As userSettings() has it, without making all of them: this is asked for every user and every message.
  const own = user.settings as Partial<UserSettings>
  return own.email_address_visibility ?? userSettingDefaults.email_address_visibility
}

/** To the minute, as clients expect it. */
function dateJoined(seconds: number) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}+00:00`
}
