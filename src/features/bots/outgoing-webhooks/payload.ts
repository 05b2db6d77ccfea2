import type { AccountRow, BotServiceRow, MessageRow } from '../../../db/schema.ts'
import { must } from '../../../lib/must.ts'
import { realmHost, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { messageView } from '../../kernel/messages/message-view.ts'
import { authorView } from '../../kernel/users/author-view.ts'
import { apiEmail } from '../../kernel/users/user-view.ts'
import { interfaces } from '../kernel/bots/bot-service.ts'

/** A message that is sent to a webhook. */
export type Question = { bot: AccountRow; service: BotServiceRow; message: MessageRow; trigger: string }

/** Returns the request body for a webhook, in the format that its owner has chosen. */
export function webhookPayload(
  realm: RealmState,
  site: Site,
  question: Question,
): { contentType: string; body: string } {
  if (question.service.interface === interfaces.slack) {
    const body = new URLSearchParams(slackFields(realm, site, question)).toString()
    return { contentType: 'application/x-www-form-urlencoded', body }
  }
  return { contentType: 'application/json', body: JSON.stringify(ownPayload(realm, site, question)) }
}

function ownPayload(realm: RealmState, site: Site, { bot, service, message, trigger }: Question) {
  const format = { applyMarkdown: false, clientGravatar: false, emptyTopicName: true }
  const { content_type: _, ...view } = messageView(realm, site, message, bot, format)
  return {
    data: message.content,
    message: { ...view, rendered_content: message.rendered_content },
    bot_email: apiEmail(realm, site, bot),
    bot_full_name: bot.full_name,
    token: service.token,
    trigger,
  }
}

/** Returns the fields of Slack's outgoing webhooks. As in Slack, direct messages have a channel with this name. */
function slackFields(realm: RealmState, site: Site, { bot, service, message, trigger }: Question) {
  const sender = realm.users.require(message.sender_id)
  const channel = realm.channels.get(realm.recipients.get(message.recipient_id)?.channel_id ?? 0)
  const timestamp = String(message.sent_at)
  return {
    token: must(service.token, 'token of the bot'),
    team_id: `T${realm.id}`,
    team_domain: realmHost(site, realm.row),
    channel_id: channel ? `C${channel.id}` : `D${message.recipient_id}`,
    channel_name: channel?.name ?? 'directmessage',
    thread_ts: timestamp,
    timestamp,
    user_id: `U${sender.id}`,
    user_name: authorView(realm, site, sender, bot).full_name,
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  }
}
