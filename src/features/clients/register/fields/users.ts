import { roles } from '../../../../db/roles.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { botsFor, botViewFor } from '../../../bots/bots/bot-view.ts'
import { embeddedBotsView } from '../../../bots/kernel/embedded-bots/embedded-bots.ts'
import { integrationsView } from '../../../bots/kernel/incoming-webhooks/integrations.ts'
import { hasRealmPermission } from '../../../kernel/groups/access.ts'
import { apiEmail, avatarUrl, crossRealmBots } from '../../../kernel/users/user-view.ts'
import { canSeeAllUsers } from '../../../kernel/users/user-visibility.ts'
import { prepareUserPages, userPages } from '../../../people/users/user-pages.ts'
import { JsonChunks, type Registration, type Section } from '../section.ts'
import { limitedUsers, prepareLimitedUsers } from './limited-users.ts'

export const userSections: Section[] = [
  {
    asked: ['realm_user'],
    prepare: prepareUsers,
    fields: (registration) => ({
      ...aboutMe(registration),
      cross_realm_bots: crossRealmBots(registration.realm, registration.site),
      realm_users: users(registration, true),
      realm_non_active_users: users(registration, false),
    }),
  },
  {
    asked: ['realm_bot'],
    fields: ({ realm, site, me }) => ({
      realm_bots: botsFor(realm, me).map((bot) => botViewFor(realm, site, me, bot)),
    }),
  },
  {
    asked: ['realm_embedded_bots'],
    fields: ({ site }) => ({ realm_embedded_bots: embeddedBotsView(site) }),
  },
  {
    asked: ['realm_incoming_webhook_bots'],
    fields: () => ({ realm_incoming_webhook_bots: integrationsView() }),
  },
]

function aboutMe({ realm, site, me }: Registration) {
  const avatar = { clientComputes: false, viewer: me }
  const mayCreatePublic = hasRealmPermission(realm, me, 'can_create_public_channel_group')
  const mayCreatePrivate = hasRealmPermission(realm, me, 'can_create_private_channel_group')
  return {
    user_id: me.id,
    full_name: me.full_name,
    email: apiEmail(realm, site, me),
    delivery_email: me.delivery_email,
    avatar_source: me.avatar_source,
    avatar_url: avatarUrl(realm, site, me, avatar),
    avatar_url_medium: avatarUrl(realm, site, me, { ...avatar, medium: true }),
    is_owner: me.role === roles.owner,
    is_admin: isAdministrator(me),
    is_moderator: me.role <= roles.moderator, // level 380
    is_guest: me.role === roles.guest,
    can_create_streams: mayCreatePublic || mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_private_streams: mayCreatePrivate,
    can_create_web_public_streams: hasRealmPermission(realm, me, 'can_create_web_public_channel_group'),
    can_invite_others_to_realm: hasRealmPermission(realm, me, 'can_invite_users_group'),
  }
}

/**
 * Returns the active users, or the others. Viewers who may see all users receive pages that viewers with the same role
 * share.
 */
function users(registration: Registration, active: boolean): JsonChunks {
  const { realm, me } = registration
  if (!canSeeAllUsers(realm, me)) return limitedUsers(registration, active)
  const { listing, list, listed } = listingOf(registration, active)
  return new JsonChunks(['[', ...userPages(listing, list, listed), ']'])
}

async function prepareUsers(registration: Registration) {
  const { realm, me } = registration
  if (!canSeeAllUsers(realm, me)) return prepareLimitedUsers(registration)
  const { listing, list, listed } = listingOf(registration, true)
  await prepareUserPages(listing, list, listed)
}

function listingOf({ realm, site, me, clientGravatar }: Registration, active: boolean) {
  const listed = () =>
    [...realm.users.values()].filter((row) => !row.is_system_bot && row.is_active === active)
  const listing = { realm, site, me, clientGravatar, includeProfile: true, tellsActive: false }
  return { listing, list: active ? 'active' : 'gone', listed }
}
