import { roles } from '../../../db/roles.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { notLoggedIn } from '../../../http/access.ts'
import { badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasRealmPermission } from '../groups/access.ts'
import { realmSettings } from '../settings/settings.ts'

/**
 * Returns whether an organization has web-public channels: the server must offer them and the organization's owners
 * must have enabled them.
 */
export function hasWebPublicChannels(realm: RealmState, site: Site): boolean {
  return site.webPublicChannels && realmSettings(realm).enable_spectator_access && !realm.row.is_deactivated
}

/** Returns whether a channel can be read without logging in, on a server that offers it. */
export function isOpenToSpectators(realm: RealmState, channel: ChannelRow): boolean {
  if (!channel.is_web_public || channel.is_private || channel.is_archived) return false
  return channel.history_public_to_subscribers && realmSettings(realm).enable_spectator_access
}

/** Throws unless a user may make channels web-public. */
export function checkMayMakeWebPublic(realm: RealmState, site: Site, me: AccountRow) {
  if (!hasWebPublicChannels(realm, site)) throw badRequest('Web-public channels are not enabled.')
  if (!hasRealmPermission(realm, me, 'can_create_web_public_channel_group')) throw notPermitted()
}

/** No user has this id. */
const nobody = 0

/**
 * Returns an account that represents a caller who is not logged in: a guest without channels, conversations or groups.
 * Throws 401 where logging in is required.
 */
export function spectatorOf(realm: RealmState, site: Site): AccountRow {
  if (!hasWebPublicChannels(realm, site)) throw notLoggedIn()
  return {
    realm_id: realm.id,
    id: nobody,
    delivery_email: '',
    full_name: 'Anonymous User',
    role: roles.guest,
    is_active: true,
    bot_type: null,
    bot_owner_id: null,
    is_system_bot: false,
    timezone: '',
    avatar_source: 'G',
    avatar_version: 1,
    avatar_file: null,
    settings: {},
    can_create_users: false,
    can_change_user_emails: false,
    created_at: 0,
    default_sending_channel_id: null,
    default_events_channel_id: null,
    default_all_public_channels: false,
  }
}

export function isSpectator(user: AccountRow): boolean {
  return user.id === nobody
}
