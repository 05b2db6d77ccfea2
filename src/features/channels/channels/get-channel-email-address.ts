import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { integer, pathInteger } from '../../../http/params.ts'
import { badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToRead } from '../../kernel/channels/access.ts'
import { systemBots } from '../../kernel/settings/system-bots.ts'

/** This server does not receive e-mail for channels. The address is empty, as clients expect in that case. */
export const getChannelEmailAddress = query('GET /streams/{stream_id}/email_address', {
  summary: "Get a channel's incoming email address, always empty because incoming email is not supported",
  since: 226,
  access: requireUser,
  params: { stream_id: pathInteger(), sender_id: integer().optional() }, // sender_id: level 335
  returns: { email: z.string() },
  async handle({ realm, me, params }) {
    channelToRead(realm, me, params.stream_id)
    if (params.sender_id !== undefined) checkSender(realm, me, params.sender_id)
    return { email: '' }
  },
})

/** Checks the user as whom the e-mail would be posted: the current user, one of their bots, or the gateway. */
function checkSender(realm: RealmState, me: AccountRow, id: number) {
  const sender = realm.users.get(id)
  if (!sender || (sender.bot_type === null && sender.id !== me.id)) throw badRequest('No such bot')
  const isGateway = sender.is_system_bot && sender.delivery_email === systemBots.emailGateway.email
  if (sender.id === me.id || sender.bot_owner_id === me.id || isGateway) return
  throw notPermitted()
}
