import type { MessageRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { checkNotArchived, messageToRead } from '../../kernel/messages/access.ts'
import { checkMayEdit } from '../kernel/editing/access.ts'
import { checkTellsTyping, typing, typingAudience, typingAudienceInChannel } from './notify.ts'
import type { TypingEditEvent } from './typing_edit_message.event.ts'

const params = { message_id: pathInteger(), op: text({ oneOf: ['start', 'stop'] }) }

export const tellEditing = command('POST /messages/{message_id}/typing', {
  summary: 'Notify others that the caller started or stopped editing a message',
  since: 351,
  access: requireUser,
  params,
  returns: {},
  async handle({ realm, me, params, read, site, commitInGroup }) {
    const message = await messageToRead(realm, me, read, params.message_id)
    checkNotArchived(realm, message)
    checkMayEdit(realm, me, message, site.clock())
    const { recipient, audience } = conversationOf(realm, message)
    checkTellsTyping(me, recipient.type)
    const event: TypingEditEvent = {
      type: 'typing_edit_message',
      op: params.op,
      sender_id: me.id,
      message_id: message.id,
      recipient,
    }
    await commitInGroup(typing, { event, audience })
    return {}
  },
})

function conversationOf(realm: RealmState, message: MessageRow) {
  const { channel_id, user_ids } = realm.recipients.require(message.recipient_id)
  if (user_ids) {
    const people = user_ids.map((id) => realm.users.require(id))
    return { recipient: { type: 'direct' as const, user_ids }, audience: typingAudience(people) }
  }
  const channel = realm.channels.require(channel_id)
  const recipient = { type: 'channel' as const, channel_id: channel.id, topic: message.topic }
  const audience = typingAudienceInChannel(realm, channel, message)
  return { recipient, audience }
}
