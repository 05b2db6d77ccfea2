import { createHash } from 'node:crypto'
import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import { realmHost, realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { avatarName } from '../avatars/avatar-names.ts'
import { isSpectator } from '../channels/web-public.ts'
import { avatarProvider, patternUrl, pictureUrl } from '../pictures/addresses.ts'
import { profileData } from '../profile-fields/field-view.ts'
import { allBots } from './bots.ts'
import { userSetting } from './settings.ts'
import { systemBotAvatarPath } from './system-bot-avatars.ts'

/** How a client wants to receive users. */
type UserFormat = {
  viewer: AccountRow
  /** The client computes the addresses of avatars of the external provider. */
  clientGravatar: boolean
  /** Includes profile_data, which only human users have. */
  includeProfile?: boolean
}

/** Returns the user object of the wire. */
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

/** Returns the system bots, which are not among realm_users. */
export function crossRealmBots(realm: RealmState, site: Site) {
  return allBots(realm)
    .filter((bot) => bot.is_system_bot)
    .map((bot) => ({
      ...userView(realm, site, bot, { viewer: bot, clientGravatar: false }),
      is_system_bot: true,
    }))
}

/** Returns the address by which the API knows a user: the real one if all users may see it, otherwise a stand-in. */
export function apiEmail(realm: RealmState, site: Site, user: AccountRow): string {
  const isPublic = user.bot_type !== null || emailVisibility(user) === emailSeenBy.everyone
  return isPublic ? user.delivery_email : standInEmail(realm, site, user.id)
}

/** Returns the address that stands in for a user's real one. */
export function standInEmail(realm: RealmState, site: Site, userId: number): string {
  return `user${userId}@${realmHost(site, realm.row)}`
}

/** Returns whether a viewer sees a user's real address. Users always see their own, and everyone sees those of bots. */
export function seesEmail(viewer: AccountRow, user: AccountRow): boolean {
  return seesEmailAt(viewer, user, emailVisibility(user))
}

/** Returns whether a viewer would see a user's real address if the user had chosen this visibility. */
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
 * Returns the address of a user's avatar; `medium` is the larger size. If the user has uploaded none, returns null for
 * a client that computes the address, provided that it knows the email. A hidden email does not go into the address,
 * where it could be guessed.
 */
export function avatarUrl(
  realm: RealmState,
  site: Site,
  user: AccountRow,
  options: { clientComputes: boolean; medium?: boolean; viewer: AccountRow },
): string | null {
  const { medium = false } = options
  if (user.is_system_bot) return realmUrl(site, realm.row) + systemBotAvatarPath(user, medium)
  if (user.avatar_file !== null) {
    const name = avatarName(user.avatar_file, { medium })
    return `${pictureUrl(realm.id, name)}?v=${user.avatar_version}`
  }
  if (mayCompute(realm) && options.clientComputes && seesEmail(options.viewer, user)) return null
  if (!usesGravatar(realm)) return `${patternUrl(realm.id, String(user.id), medium)}?v=${user.avatar_version}`
  const email = isSpectator(options.viewer) ? standInEmail(realm, site, user.id) : apiEmail(realm, site, user)
  return gravatarUrl(email, user.avatar_version, medium)
}

/** Returns the avatar of a user whom the viewer may not see. It does not depend on the user's upload. */
export function unknownAvatar(realm: RealmState, site: Site, userId: number): string {
  return usesGravatar(realm)
    ? gravatarUrl(standInEmail(realm, site, userId), 1)
    : `${patternUrl(realm.id, String(userId))}?v=1`
}

/** Returns the fields of a user that look the same to all viewers. */
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

/** The name of a user whom the viewer may not see. */
export const unknownName = 'Unknown user'

/** Returns the stand-in for a user whom the viewer may not see. */
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
    date_joined: dateJoined(realm.row.created_at),
    delivery_email: null,
    avatar_url: unknownAvatar(realm, site, user.id),
    bot_type: null,
    bot_owner_id: null,
    profile_data: {},
  }
}

declare module '../../../db/values.ts' {
  interface StoredRealmSettings {
    /** Absent: gravatar.com is not used, but clients may compute its addresses. */
    gravatar: boolean
  }
}

/**
 * Returns whether the organization uses gravatar.com for users who have uploaded no avatar. Otherwise the server draws
 * one.
 */
export function usesGravatar({ row }: RealmState): boolean {
  return row.settings.gravatar === true
}

/**
 * Returns whether clients may compute avatar addresses themselves, as they do for gravatar.com. An organization can
 * forbid it.
 */
export function mayCompute({ row }: RealmState): boolean {
  return row.settings.gravatar !== false
}

/**
 * Returns the address of the provider's picture for an email address. Without a picture the provider shows a pattern.
 */
export function gravatarUrl(email: string, version: number, medium = false): string {
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex')
  return `${avatarProvider}${hash}?d=identicon${medium ? '&s=500' : ''}&version=${version}`
}

export const emailSeenBy = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 }

/** Returns who may see a user's address: one of the numbers of the setting email_address_visibility. */
export function emailVisibility(user: AccountRow): number {
  return userSetting(user, 'email_address_visibility')
}

/** Returns a time to the minute, in the form that clients expect. */
function dateJoined(seconds: number) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}+00:00`
}
