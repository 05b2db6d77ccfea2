import type { AccountRow, ChannelRow, MessageRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { MessageFacts } from '../../narrow/condition.ts'
import type { NarrowLookup } from '../../narrow/operators.ts'
import { conditionToPredicate } from '../../narrow/predicate.ts'
import { resolveQueueNarrow } from '../../narrow/resolve.ts'
import { parseQueueNarrow } from '../../narrow/terms.ts'
import type { Listener } from '../../queues/event-type.ts'
import { channelByRef, hasMetadataAccess } from '../channels/access.ts'
import { isSpectator } from '../channels/web-public.ts'
import { currentConversations } from '../flags/unread.ts'
import { emptyTopicDisplayName } from '../realm/settings.ts'
import { authorView } from '../users/author-view.ts'
import { standInEmail } from '../users/user-view.ts'

/** What a narrow may refer to, as this reader sees the organization. */
export function narrowLookup(realm: RealmState, site: Site, me: AccountRow): NarrowLookup {
  return {
    realmId: realm.id,
    me: me.id,
    emptyTopicName: emptyTopicDisplayName,
    // One that the reader may not know of is empty to them. That it is there is no secret: sending to it tells that, too.
    channel(ref) {
      const channel = channelByRef(realm, ref)
      if (!channel || (isSpectator(me) && !hasMetadataAccess(realm, me, channel))) return undefined
      return { id: channel.id, recipientId: channel.recipient_id }
    },
    user(ref) {
      if (typeof ref === 'number') return realm.users.get(ref)
      return isSpectator(me) ? userByStandIn(realm, site, ref) : userByApiEmail(realm, site, me, ref)
    },
    conversation: (userIds) => realm.conversationByUsers([...userIds].sort((a, b) => a - b).join())?.id,
    conversationsIncluding: (userId) =>
      [...realm.conversationsOfUser(userId)]
        .filter((row) => row.user_ids!.includes(me.id))
        .map((row) => row.id),
    mutedRecipients: () =>
      [...realm.subscriptionsOfUser(me.id)]
        .filter((row) => row.is_muted)
        .map((row) => realm.channels.get(row.channel_id)!.recipient_id),
    currentConversations: () => currentConversations(realm, me),
    directRecipients: () => [...realm.conversationsOfUser(me.id)].map((row) => row.id),
    publicRecipients: () => recipientsWhere(realm, (channel) => !channel.is_private),
    webPublicRecipients: () => recipientsWhere(realm, (channel) => channel.is_web_public),
  }
}

function recipientsWhere(realm: RealmState, accepts: (channel: ChannelRow) => boolean) {
  return [...realm.channels.values()].filter(accepts).map((channel) => channel.recipient_id)
}

/** Whether a queue's narrow lets a message pass that comes with these flags. */
export function passesQueueNarrow(
  { state, site, me, queue }: Listener,
  message: MessageRow,
  flags: string[],
): boolean {
  const terms = parseQueueNarrow(queue.options.narrow)
  const matches = conditionToPredicate(resolveQueueNarrow(terms, narrowLookup(state, site, me)))
  return matches(factsOf(message, flags))
}

/** What conditions look at. */
export function factsOf(message: MessageRow, flags: string[]): MessageFacts {
  return {
    id: message.id,
    recipientId: message.recipient_id,
    senderId: message.sender_id,
    topic: message.topic,
    hasLink: message.has_link,
    hasImage: message.has_image,
    hasAttachment: message.has_attachment,
    flags,
  }
}

/** Clients name people by the address that they see. */
function userByApiEmail(realm: RealmState, site: Site, me: AccountRow, email: string) {
  const user = userByStandIn(realm, site, email) ?? realm.userByEmail(email.toLowerCase())
  if (!user || authorView(realm, site, user, me).email.toLowerCase() !== email.toLowerCase()) return undefined
  return user
}

/** Whoever is not logged in sees no others. */
function userByStandIn(realm: RealmState, site: Site, email: string) {
  const user = realm.users.get(Number(/^user(\d+)@/i.exec(email)?.[1]))
  return user && standInEmail(realm, site, user.id) === email.toLowerCase() ? user : undefined
}
