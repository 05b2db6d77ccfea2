import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import type { JobContext } from '../../../jobs/job.ts'
import { messageText } from '../../kernel/messages/message-text.ts'
import type { NewMessage } from '../../kernel/messages/new-message.ts'
import {
  channelDestination,
  directDestination,
  type MessageDestination,
} from '../../messages/kernel/messages/compose-message.ts'
import { prepareMessage } from '../../messages/kernel/messages/prepare-message.ts'
import type { Reply } from './reply.ts'

/** Composes a bot's reply in the conversation of the question. Throws if the bot may not write there. */
export async function composeReply(
  context: JobContext,
  bot: AccountRow,
  asked: MessageRow,
  reply: Reply,
  how: Manner,
): Promise<NewMessage> {
  const { log } = context
  const writer = writerIn(context, bot)
  const { channel_id, user_ids } = log.state.recipients.require(asked.recipient_id)
  const destination = user_ids
    ? directDestination(writer, user_ids)
    : channelDestination(writer, channel_id, asked.topic)
  return compose(writer, destination, reply, how)
}

/** Composes a bot's message to a channel of this name. */
export async function composePost(
  context: JobContext,
  bot: AccountRow,
  { channel, topic, content }: { channel: string; topic: string; content: string },
  how: Manner,
): Promise<NewMessage> {
  const writer = writerIn(context, bot)
  return compose(writer, channelDestination(writer, channel, topic), { content }, how)
}

/** The client name of the message. */
type Manner = { client: string }

function writerIn({ log, site, read }: JobContext, bot: AccountRow): CallerContext<'read'> {
  return { realm: log.state, site, me: bot, read }
}

function compose(
  writer: CallerContext<'read'>,
  destination: MessageDestination,
  { content, widget }: Reply,
  { client }: Manner,
): Promise<NewMessage> {
  return prepareMessage(writer, destination, {
    content: messageText(content),
    client,
    readBySender: true,
    widget,
  })
}
