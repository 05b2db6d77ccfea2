import { botTypes } from '../../../db/bot-types.ts'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { isAdministrator, requireHumanMember, requireSender } from '../../../http/access.ts'
import type { Access } from '../../../http/endpoint.ts'
import { ApiError, badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelByRef, hasContentAccess } from '../channels/access.ts'
import { hasRealmPermission } from '../groups/access.ts'
import { checkOwnerRights } from '../users/deactivation.ts'

/**
 * Returns whether requests with the bot's key must be signed with a secret. Such a bot receives messages only through
 * its own integration.
 */
export function needsSignature(realm: RealmState, { id, bot_type }: AccountRow): boolean {
  return bot_type === botTypes.incomingWebhook && Boolean(realm.botServices.get(id)?.config.webhook_secret)
}

export function notSigned() {
  return new ApiError('Webhook signature verification failed.')
}

/** Allows every logged-in user except bots that must sign their requests. */
export const unsignedSender: Access<AccountRow> = (state, caller) => {
  const me = requireSender(state, caller)
  if (needsSignature(state, me)) throw notSigned()
  return me
}

/** Allows users who may own bots. */
export const requirePossibleBotOwner = requireHumanMember

/** Returns the bot with this id if the current user owns it or is an administrator. Deactivated bots are included. */
export function ownBot(realm: RealmState, me: AccountRow, id: number): AccountRow {
  const bot = realm.users.get(id)
  if (!bot || bot.bot_type === null || bot.is_system_bot) throw badRequest('No such bot')
  if (!isAdministrator(me) && bot.bot_owner_id !== me.id) throw notPermitted()
  // Otherwise an administrator could gain an owner's rights through an owner's bot.
  if (bot.bot_owner_id !== me.id) checkOwnerRights(me, bot)
  return bot
}

/**
 * Throws unless the current user may create bots of this type. Permission to create any bot includes bots that can only
 * write.
 */
export function checkMayCreate(realm: RealmState, me: AccountRow, botType: number) {
  if (hasRealmPermission(realm, me, 'can_create_bots_group')) return
  const onlyWrites = botType === botTypes.incomingWebhook
  if (onlyWrites && hasRealmPermission(realm, me, 'can_create_write_only_bots_group')) return
  throw notPermitted()
}

/**
 * Returns the id of the channel with this name, or null for the empty name. Throws unless the current user may read the
 * channel.
 */
export function defaultChannel(realm: RealmState, me: AccountRow, name: string): number | null {
  if (name.trim() === '') return null
  const channel: ChannelRow | undefined = channelByRef(realm, name)
  if (!channel || channel.is_archived || !hasContentAccess(realm, me, channel)) {
    throw badRequest(`Invalid channel name '${name}'`)
  }
  return channel.id
}
