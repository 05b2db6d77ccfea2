import type { AccountRow, MessageRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { NarrowLookup } from '../../narrow/operators.ts'
import { conditionToPredicate } from '../../narrow/predicate.ts'
import { resolveQueueNarrow } from '../../narrow/resolve.ts'
import { parseQueueNarrow } from '../../narrow/terms.ts'
import type { Listener } from '../../queues/event-type.ts'
import { channelByRef, hasMetadataAccess } from '../channels/access.ts'
import { emptyTopicDisplayName } from '../realm/settings.ts'
import { apiEmail } from '../users/user-view.ts'

/** What a narrow may refer to, as this reader sees the organization. */
export function narrowLookup(realm: RealmState, site: Site, me: AccountRow): NarrowLookup {
  return {
    me: me.id,
    emptyTopicName: emptyTopicDisplayName,
    channel(ref) {
      const channel = channelByRef(realm, ref)
      if (!channel || !hasMetadataAccess(realm, me, channel)) return undefined
      return { id: channel.id, recipientId: channel.recipient_id }
    },
    user: (ref) => (typeof ref === 'number' ? realm.users.get(ref) : userByApiEmail(realm, site, ref)),
    conversation: (userIds) => realm.conversationByUsers([...userIds].sort((a, b) => a - b).join())?.id,
    conversationsIncluding: (userId) =>
      [...realm.conversationsOfUser(userId)]
        .filter((row) => row.user_ids!.includes(me.id))
        .map((row) => row.id),
    directRecipients: () => [...realm.conversationsOfUser(me.id)].map((row) => row.id),
    publicRecipients: () =>
      [...realm.channels.values()]
        .filter((channel) => !channel.is_private)
        .map((channel) => channel.recipient_id),
  }
}

/** Whether a queue's narrow lets a message pass. */
export function passesQueueNarrow({ state, site, me, queue }: Listener, message: MessageRow): boolean {
  const terms = parseQueueNarrow(queue.options.narrow)
  const matches = conditionToPredicate(resolveQueueNarrow(terms, narrowLookup(state, site, me)))
  const { id, recipient_id: recipientId, sender_id: senderId, topic } = message
  return matches({ id, recipientId, senderId, topic })
}

/** Clients name people by the address that they see. */
function userByApiEmail(realm: RealmState, site: Site, email: string) {
  const dummy = /^user(\d+)@/i.exec(email)
  const user = dummy ? realm.users.get(Number(dummy[1])) : realm.userByEmail(email.toLowerCase())
  return user && apiEmail(realm, site, user).toLowerCase() === email.toLowerCase() ? user : undefined
}
