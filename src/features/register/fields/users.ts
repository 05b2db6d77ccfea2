import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator, roles } from '../../../http/access.ts'
import type { Piece } from '../../../lib/gzip-parts.ts'
import { botsFor, botView } from '../../bots/bot-view.ts'
import { mayInRealm } from '../../groups/access.ts'
import { canAccessAll } from '../../users/known-users.ts'
import { apiEmail, avatarUrl, crossRealmBots, realmUsers, userView } from '../../users/user-view.ts'
import { partsOf } from '../parts.ts'
import { Json, type Registration, type Section } from '../section.ts'

/** How many consecutive ids share a part: few enough that one change costs little, enough to be packed well. */
const idsPerPage = 256

export const userSections: Section[] = [
  {
    asked: ['realm_user'],
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
      realm_bots: botsFor(realm, me).map((bot) => botView(realm, site, bot)),
    }),
  },
]

function aboutMe({ realm, site, me }: Registration) {
  const avatar = { clientComputes: false, viewer: me }
  const mayCreatePublic = mayInRealm(realm, me, 'can_create_public_channel_group')
  const mayCreatePrivate = mayInRealm(realm, me, 'can_create_private_channel_group')
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
    can_create_web_public_streams: mayInRealm(realm, me, 'can_create_web_public_channel_group'),
    can_invite_others_to_realm: mayInRealm(realm, me, 'can_invite_users_group'),
  }
}

/** The active users, or the others. Whoever may know everybody gets pages that all of the same standing get. */
function users(registration: Registration, active: boolean): unknown {
  const { realm, site, me, clientGravatar, capabilities } = registration
  if (!canAccessAll(realm, me)) {
    const userListIncomplete = capabilities.user_list_incomplete
    return realmUsers(realm, site, me, { clientGravatar, active, userListIncomplete })
  }
  const pieces: Piece[] = []
  for (const [page, rows] of pagesOf(realm.users.values(), active)) {
    pieces.push(pieces.length === 0 ? '' : ',', usersPage(registration, page, rows))
  }
  return new Json(['[', ...pieces, ']'])
}

function pagesOf(rows: Iterable<AccountRow>, active: boolean) {
  const pages = new Map<number, AccountRow[]>()
  for (const row of rows) {
    if (row.is_system_bot || row.is_active !== active) continue
    const page = Math.floor(row.id / idsPerPage)
    const others = pages.get(page)
    if (others) others.push(row)
    else pages.set(page, [row])
  }
  return pages
}

function usersPage(registration: Registration, page: number, rows: AccountRow[]): Piece {
  const { realm, me, clientGravatar } = registration
  // Roles from administrator upwards see the same of others. Nobody has the id 0: this is how people see strangers.
  const stranger = { ...me, id: 0, role: Math.max(me.role, roles.administrator) }
  const text = (viewer: AccountRow) => rows.map((row) => userJson(registration, row, viewer)).join()
  // One's own address is always shown, even if nobody else sees it.
  const isShy = () => userJson(registration, me, me) !== userJson(registration, me, stranger)
  if (rows.includes(me) && isShy()) return text(me)
  const told = rows.map((row) => realm.profiles.get(row.id))
  const madeFrom = [realm.realm, realm.profileFields.version, ...rows, ...told]
  const key = `users ${page} ${rows[0]!.is_active} ${stranger.role} ${clientGravatar}`
  return partsOf(realm).get(key, madeFrom, () => text(stranger))
}

function userJson({ realm, site, clientGravatar }: Registration, user: AccountRow, viewer: AccountRow) {
  const { is_active: _, ...view } = userView(realm, site, user, {
    viewer,
    clientGravatar,
    includeProfile: true,
  })
  return JSON.stringify(view)
}
