import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { integer, pathInteger } from '../../../http/params.ts'
import { badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToRead } from '../../kernel/channels/access.ts'
import { incomingAddress } from '../../kernel/mail/incoming-address.ts'
import { gatewayBot, isGatewayBot } from '../../kernel/users/gateway-bot.ts'

/**
 * Mails to the address are posted in the channel, as long as the current user may post there. `email` is empty where
 * the server takes no mail, as clients expect.
 */
export const getChannelEmailAddress = query('GET /streams/{stream_id}/email_address', {
  summary: 'Get the email address that posts into a channel; it is empty on a server that takes no email',
  since: 226,
  access: requireUser,
  params: { stream_id: pathInteger(), sender_id: integer().optional() }, // sender_id: level 335
  returns: { email: z.string() },
  async handle({ realm, me, site, params }) {
    const { id, name } = channelToRead(realm, me, params.stream_id)
    const chosen = params.sender_id === undefined ? undefined : senderOf(realm, me, params.sender_id)
    if (site.mailInDomain === undefined) return { email: '' }
    const sender = chosen ?? gatewayBot(realm)
    const ids = { realmId: realm.id, channelId: id, userId: me.id, senderId: sender.id }
    return { email: incomingAddress(site, { kind: 'channel', ...ids }, name) ?? '' }
  },
})

/**
 * Returns the user who posts the mails: the current user, one of their bots, or the gateway. Throws 400 for another
 * user, and for a bot that does not exist.
 */
function senderOf(realm: RealmState, me: AccountRow, id: number): AccountRow {
  const sender = realm.users.get(id)
  if (!sender || (sender.bot_type === null && sender.id !== me.id)) throw badRequest('No such bot')
  if (sender.id === me.id || sender.bot_owner_id === me.id || isGatewayBot(sender)) return sender
  throw notPermitted()
}
