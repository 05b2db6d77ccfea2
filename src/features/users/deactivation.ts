import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { roles, unauthorizedPrincipal } from '../../http/access.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { tellOfBot } from '../bots/tell.ts'
import { forgetZoom } from '../calls/zoom-tokens.ts'
import { isActive } from '../channels/access.ts'
import { systemGroupId } from '../groups/access.ts'
import { directSystemGroups } from '../groups/system-groups.ts'
import { tellOfSettingsNaming } from '../groups/tell-of-settings.ts'
import { membersAdded } from '../groups/user_group.event.ts'
import { revokeInvitationsOf } from '../invitations/invitations.ts'
import { endApiKeys } from '../login/api-keys.ts'
import { endSessions } from '../sessions/sessions.ts'
import { tellPeers } from '../subscriptions/peers.ts'
import { administratorIds } from './change-settings.ts'
import { exportConsent } from './realm_export_consent.event.ts'
import { userUpdated } from './realm_user.event.ts'
import { userSettings } from './settings.ts'

/** Throws unless I may deactivate an owner: only owners may. */
export function checkOwnerRights(me: AccountRow, user: AccountRow) {
  if (user.role === roles.owner && me.role !== roles.owner) {
    throw unauthorizedPrincipal('Must be an organization owner')
  }
}

/**
 * Deactivates somebody and the bots they own. They keep what is theirs, subscriptions and groups too, but hold no
 * permission, cannot log in and are no longer counted anywhere; their invitations end, and so do their sessions and the
 * calls that they may make at Zoom.
 * Whether this is allowed is for the caller to say.
 */
export async function deactivate(change: Change, user: AccountRow) {
  const users = [user, ...ownBots(change.state, user)]
  await change.updateAll(
    'account',
    users.map(({ id }) => ({ id, is_active: false })),
  )
  await endSessions(change, user.id)
  for (const one of users) {
    const { id } = one
    change.emit(userUpdated(id, { is_active: false }), { everyone: true })
    tellOfBot(change, one, { is_active: false })
    tellPeers(change, 'peer_remove', subscribedTo(change.state, id))
  }
  await revokeInvitationsOf(change, user.id)
  await forgetZoom(change, user.id)
}

/**
 * Makes somebody active again, with everything they had but their API keys: those were only kept so that clients are
 * told why they are refused. Their bots stay as they are; a bot itself keeps its key.
 */
export async function reactivate(change: Change, user: AccountRow) {
  const { state } = change
  const { id } = user
  await change.update('account', { id, is_active: true })
  if (user.bot_type === null) await endApiKeys(change, id)
  const everyone = { everyone: true } as const
  change.emit(userUpdated(id, { is_active: true }), everyone)
  tellOfBot(change, user, { is_active: true })
  const consents = userSettings(user).allow_private_data_export
  if (user.bot_type === null) change.emit(exportConsent(id, consents), { users: administratorIds(state) })
  tellPeers(change, 'peer_add', subscribedTo(state, id))
  for (const name of directSystemGroups(state, user).reverse()) {
    change.emit(membersAdded(systemGroupId(state, name), [id]), everyone)
  }
  for (const { group_id } of state.groupsOfUser(id)) change.emit(membersAdded(group_id, [id]), everyone)
  tellOfSettingsNaming(change, id)
}

function ownBots(realm: RealmState, user: AccountRow): AccountRow[] {
  return [...realm.users.values()].filter((bot) => bot.bot_owner_id === user.id && bot.is_active)
}

function subscribedTo(realm: RealmState, userId: number): { channel: ChannelRow; userIds: number[] }[] {
  return [...realm.subscriptionsOfUser(userId)]
    .filter(isActive)
    .map(({ channel_id }) => ({ channel: realm.channels.get(channel_id)!, userIds: [userId] }))
}
