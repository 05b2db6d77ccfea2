import { MailRefusal } from '../../../adapters/mail/mail-receiver.ts'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow, ChannelRow, MessageRow } from '../../../db/schema.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToPostIn } from '../../kernel/channels/access.ts'
import type { MailPurpose } from '../../kernel/mail/incoming-address.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
import { isGatewayBot } from '../../kernel/users/gateway-bot.ts'
import type { MessageDestination } from '../../messages/kernel/messages/compose-message.ts'
import { replyDestination } from '../kernel/replies/reply-destination.ts'
import { incomingMailLimits } from './limits.ts'

/**
 * The target of a mail. `channel`: it is posted there, and its subject becomes the topic. `reply`: it is posted to the
 * present conversation of the message that it answers.
 */
export type MailTarget =
  | { kind: 'channel'; channel: ChannelRow; sender: AccountRow; isGateway: boolean }
  | { kind: 'reply'; message: MessageRow; sender: AccountRow; destination: MessageDestination }

/** The data of a check: the state of a node, or that of a change. */
type TargetContext = { realm: RealmState; read: Pick<Reader, 'rows'>; site: Site }

/**
 * Returns the target of a mail for this purpose. Throws MailRefusal if there is none now. The text of the refusal
 * reveals nothing about the organization to the sender.
 */
export async function targetOf(context: TargetContext, purpose: MailPurpose): Promise<MailTarget> {
  const { realm } = context
  if (realm.row.is_deactivated) throw noSuchAddress()
  const user = realm.users.get(purpose.userId)
  if (!user?.is_active) throw noSuchAddress()
  try {
    return purpose.kind === 'channel'
      ? channelTarget(realm, user, purpose)
      : await replyTarget(context, user, purpose.messageId)
  } catch (error) {
    throw error instanceof ApiError && error.status < 500 ? noSuchAddress() : error
  }
}

/** The refusal is the same for every reason, so that it reveals none. */
export function noSuchAddress() {
  return new MailRefusal(550, 'This address takes no mail')
}

function channelTarget(
  realm: RealmState,
  user: AccountRow,
  { channelId, senderId }: { channelId: number; senderId: number },
): MailTarget {
  // The user who got the address must be permitted to post what comes in by it.
  const channel = channelToPostIn(realm, user, channelId)
  const sender = realm.users.get(senderId)
  if (!sender?.is_active) throw noSuchAddress()
  const isGateway = isGatewayBot(sender)
  const isOwn = sender.id === user.id || (sender.bot_owner_id === user.id && !sender.is_system_bot)
  if (!isGateway && !isOwn) throw noSuchAddress()
  if (!isGateway) channelToPostIn(realm, sender, channelId)
  return { kind: 'channel', channel, sender, isGateway }
}

async function replyTarget(context: TargetContext, user: AccountRow, messageId: number): Promise<MailTarget> {
  const { realm, read, site } = context
  const message = await messageToRead(realm, user, read, messageId)
  if (message.sent_at < site.clock() - incomingMailLimits.replyDays * 86_400) throw noSuchAddress()
  const destination = replyDestination({ realm, site, me: user }, message)
  return { kind: 'reply', message, sender: user, destination }
}
