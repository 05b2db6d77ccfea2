import type { ChannelRow } from '../../../../db/schema.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { must } from '../../../../lib/must.ts'
import { realmUrl } from '../../../../lib/site.ts'
import { render } from '../../../../markdown/render.ts'
import { channelToPostIn } from '../../../kernel/channels/access.ts'
import { markdownLookup } from '../../../kernel/messages/markdown-lookup.ts'
import { checkMayTalk, checkTopicPolicy, conversationOf } from '../../../kernel/messages/may-send.ts'
import { topicToSendTo } from '../../../kernel/messages/message-text.ts'
import type { NewMessage } from '../../../kernel/messages/new-message.ts'
import { outgoingTriggers } from '../../../kernel/outgoing-webhooks/triggers.ts'
import { alertWordsByUser } from '../../../people/alert-words/alert-words.ts'
import type { LinkTargets } from '../uploads/link-targets.ts'
import { widgetOf } from '../widgets/widget.ts'
import { calledBots, checkMayMention, mentionedUsers, mutersAmong, usersAlertedBy } from './mentions.ts'
import { participants } from './recipients.ts'

/** The destination of a message: a topic of a channel, or a conversation. */
export type MessageDestination = {
  /** Null for a conversation that begins with this message. */
  recipientId: number | null
  topic: string
  channel: ChannelRow | undefined
  /** The participants of a conversation, sorted, or null for a channel. */
  userIds: readonly number[] | null
  /** The number of the log up to which it is known that the sender may write there. */
  checkedAt: number
}

/** Returns a topic of a channel as destination. Throws unless the user may send messages there with this topic. */
export function channelDestination(
  { realm, me }: Pick<CallerContext, 'realm' | 'me'>,
  ref: number | string,
  sentTopic: string | undefined,
): MessageDestination & { channel: ChannelRow } {
  if (sentTopic === undefined) throw badRequest('Missing topic')
  const topic = topicToSendTo(sentTopic)
  const channel = channelToPostIn(realm, me, ref)
  checkTopicPolicy(realm, channel, topic)
  return { recipientId: channel.recipient_id, topic, channel, userIds: null, checkedAt: realm.position }
}

/** Returns the conversation of the sender with these users. Throws unless they may talk. */
export function directDestination(
  { realm, site, me }: CallerContext,
  to: number[] | string[],
): MessageDestination {
  const people = participants(realm, site, me, to)
  checkMayTalk(realm, me, people)
  const recipientId = conversationOf(realm, people)?.id ?? null
  const userIds = people.map(({ id }) => id)
  return { recipientId, topic: '', channel: undefined, userIds, checkedAt: realm.position }
}

/** The message to send, without its destination. */
export type OutgoingMessage = {
  content: string
  client: string
  readBySender: boolean
  key?: NewMessage['key']
  echo?: NewMessage['echo']
  /** The targets of its links: see linkTargets. */
  targets?: LinkTargets | undefined
  /** The users who take part in the topic: see topicParticipants. */
  participants?: number[] | undefined
  /** The value of the parameter widget_content. */
  widget?: string | undefined
}

/** Returns the message ready to be written. */
export function composeMessage(
  { realm, site, me }: CallerContext,
  destination: MessageDestination,
  { content, client, readBySender, key, echo, widget, targets, participants = [me.id] }: OutgoingMessage,
): NewMessage {
  const { recipientId, topic, channel, userIds, checkedAt } = destination
  const lookup = markdownLookup(realm, realmUrl(site, realm.row), me)
  const rendered = render(content, Object.assign(lookup, targets, { alertWords: alertWordsByUser(realm) }))
  const { wildcard, isMeMessage } = rendered.facts
  checkMayMention(realm, me, channel, participants, rendered.facts)
  const called = calledBots(realm, channel, rendered.facts)
  const made = widgetOf(content, widget)
  const mentioned = [...mentionedUsers(realm, destination, rendered.facts), ...called]
  return {
    realmId: realm.id,
    checkedAt,
    message: {
      recipient_id: recipientId ?? 0,
      sender_id: me.id,
      topic,
      content,
      rendered_content: rendered.html,
      rendered_version: rendered.version,
      client,
      is_me_message: isMeMessage,
      mentions_channel: wildcard.channel, // in a direct message, all participants
      mentions_topic: wildcard.topic && channel !== undefined,
      read_by_sender: readBySender,
      has_link: rendered.facts.hasLink,
      has_image: rendered.facts.hasImage,
      has_attachment: rendered.facts.hasAttachment,
    },
    ...(recipientId === null && { begins: must(userIds, 'conversation') }),
    mentioned,
    ...(called.length > 0 && { calledBots: called }),
    alerted: usersAlertedBy(realm, destination, rendered.facts),
    ...(wildcard.topic && channel && { topicMentioned: participants }),
    readBy: mutersAmong(realm, destination, me.id),
    key: key ?? null,
    echo: echo ?? null,
    widget: made,
    uploads: rendered.facts.uploadPaths,
    hasUnreadPages:
      made === null && rendered.facts.pages.some((page) => targets?.linkPreview?.(page) === undefined),
    triggers: outgoingTriggers(realm, me, destination, rendered.facts),
  }
}

/** Clients that show users their own message as they send it. */
const humanClients =
  /^(zulip(mobile|desktop|electron|ios|android|flutter|terminal)|website|ios|android|snipe)$|desktop app/i

export function isHumanClient(client: string) {
  return humanClients.test(client)
}
