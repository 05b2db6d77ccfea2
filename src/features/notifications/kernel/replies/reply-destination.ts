import type { MessageRow } from '../../../../db/schema.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import { incomingAddress } from '../../../kernel/mail/incoming-address.ts'
import {
  channelDestination,
  directDestination,
  type MessageDestination,
} from '../../../messages/kernel/messages/compose-message.ts'

type Answered = Pick<MessageRow, 'id' | 'recipient_id' | 'topic'>

/** Returns where a user replies to a message. Throws if they may not write there. */
export function replyDestination(
  context: CallerContext,
  { recipient_id, topic }: Omit<Answered, 'id'>,
): MessageDestination {
  const { channel_id, user_ids } = context.realm.recipients.require(recipient_id)
  return user_ids ? directDestination(context, [...user_ids]) : channelDestination(context, channel_id, topic)
}

/** Returns the address for a user's reply to a message; undefined if the server takes no mail, or the user may not write there. */
export function replyAddress(context: CallerContext, message: Answered): string | undefined {
  const { realm, site, me } = context
  if (site.mailInDomain === undefined) return undefined
  try {
    replyDestination(context, message)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
  return incomingAddress(site, { kind: 'reply', realmId: realm.id, userId: me.id, messageId: message.id })
}
