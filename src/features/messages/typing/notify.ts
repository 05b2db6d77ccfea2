import type { AccountRow, ChannelRow, MessageRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { batchedWrite } from '../../../log/batched-write.ts'
import type { Audience } from '../../../log/entry.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { activeSubscription } from '../../kernel/channels/access.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import { userSetting, userSettings } from '../../kernel/users/settings.ts'
import { typingLimits } from './limits.ts'
import type { TypingEvent } from './typing.event.ts'
import type { TypingEditEvent } from './typing_edit_message.event.ts'

/** Emits typing events. There are no rows to write. */
export const typing = batchedWrite<{ event: TypingEvent | TypingEditEvent; audience: Audience }>({
  name: 'typing',
  takesMessageId: false,
  entry: (item) => item,
})

/** Throws if the user has turned off typing notifications for this kind of conversation. */
export function checkTellsTyping(me: AccountRow, place: 'channel' | 'direct') {
  const settings = userSettings(me)
  if (place === 'channel' && !settings.send_stream_typing_notifications) {
    throw badRequest('User has disabled typing notifications for channel messages')
  }
  if (place === 'direct' && !settings.send_private_typing_notifications) {
    throw badRequest('User has disabled typing notifications for direct messages')
  }
}

/** Returns those of the users who want typing notifications. */
export function typingAudience(people: AccountRow[]): Audience {
  const users = people.filter(
    (person) => person.is_active && userSetting(person, 'receives_typing_notifications'),
  )
  return { users: users.map((person) => person.id) }
}

/**
 * Returns the subscribers of a channel who want typing notifications; for a message only those who may read it. In a
 * large channel the notifications would never stop, so nobody receives them.
 */
export function typingAudienceInChannel(
  realm: RealmState,
  channel: ChannelRow,
  message?: Pick<MessageRow, 'id' | 'recipient_id'>,
): Audience {
  const people: AccountRow[] = []
  for (const { user_id } of realm.subscriptionsOfChannel(channel.id)) {
    const person = realm.users.get(user_id)
    if (!person?.is_active || !activeSubscription(realm, user_id, channel.id)) continue
    if (message && !mayRead(realm, person, message)) continue
    people.push(person)
    if (people.length > typingLimits.typingSubscribers) return { users: [] }
  }
  return typingAudience(people)
}
