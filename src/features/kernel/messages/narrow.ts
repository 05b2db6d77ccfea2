import { z } from 'zod'
import type { AccountRow, ChannelRow, MessageRow } from '../../../db/schema.ts'
import { list } from '../../../http/collections.ts'
import { json, type Param } from '../../../http/params.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { MessageFacts } from '../../../narrow/condition.ts'
import { narrowSchema, queueNarrowSchema } from '../../../narrow/json-schema.ts'
import { narrowLimits } from '../../../narrow/limits.ts'
import type { NarrowLookup } from '../../../narrow/operators.ts'
import { conditionToPredicate } from '../../../narrow/predicate.ts'
import { resolveQueueNarrow } from '../../../narrow/resolve.ts'
import { parseQueueNarrow, type Term } from '../../../narrow/terms.ts'
import type { Listener } from '../../../queues/event-type.ts'
import type { Queue } from '../../../queues/queue.ts'
import { channelByRef, hasMetadataAccess } from '../channels/access.ts'
import { isSpectator } from '../channels/web-public.ts'
import { currentConversations } from '../flags/unread.ts'
import { emptyTopicDisplayName } from '../topics/shown-topic.ts'
import { authorView } from '../users/author-view.ts'
import { standInEmail } from '../users/user-view.ts'
import { messageLimits } from './limits.ts'

/** A narrow. parseNarrow validates it. */
export const narrowParam = () =>
  json(z.unknown(), { max: messageLimits.narrowLength }).documentedAs(narrowSchema)

/** The narrow of an event queue. parseQueueNarrow validates it. */
export const queueNarrowParam = (): Param<[string, string][]> =>
  json(list(z.tuple([z.string(), z.string()]), narrowLimits.queueTerms), { max: messageLimits.narrowLength })
    .documentedAs(queueNarrowSchema)
    .default([])

/** Resolves the names in a narrow as this reader sees the organization. */
export function narrowLookup(realm: RealmState, site: Site, me: AccountRow): NarrowLookup {
  return {
    realmId: realm.id,
    me: me.id,
    emptyTopicName: emptyTopicDisplayName,
    // A channel that the reader may not see counts as empty. Its existence is no secret: sending to it reveals that,
    // too.
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
        .filter((row) => row.user_ids?.includes(me.id))
        .map((row) => row.id),
    mutedRecipients: () =>
      [...realm.subscriptionsOfUser(me.id)]
        .filter((row) => row.is_muted)
        .map((row) => realm.channels.require(row.channel_id).recipient_id),
    currentConversations: () => currentConversations(realm, me),
    directRecipients: () => [...realm.conversationsOfUser(me.id)].map((row) => row.id),
    publicRecipients: () => recipientsWhere(realm, (channel) => !channel.is_private),
    webPublicRecipients: () => recipientsWhere(realm, (channel) => channel.is_web_public),
  }
}

function recipientsWhere(realm: RealmState, accepts: (channel: ChannelRow) => boolean) {
  return [...realm.channels.values()].filter(accepts).map((channel) => channel.recipient_id)
}

/** Returns whether a queue's narrow lets a message with these flags pass. */
export function passesQueueNarrow(listener: Listener, message: MessageRow, flags: string[]): boolean {
  return queuePredicate(listener)(narrowFacts(listener.state, message, flags))
}

/** The resolved form of a queue's narrow. It can change with any row of the organization. */
type Meaning = {
  terms: Term[]
  state: RealmState
  changedAt: number
  matches: (message: MessageFacts) => boolean
}

const meanings = new WeakMap<Queue, Meaning>()

function queuePredicate({ state, site, me, queue }: Listener): Meaning['matches'] {
  const { changedAt } = state
  const known = meanings.get(queue)
  if (known?.state === state && known.changedAt === changedAt) return known.matches
  const terms = known?.terms ?? parseQueueNarrow(queue.options.narrow)
  const matches = conditionToPredicate(resolveQueueNarrow(terms, narrowLookup(state, site, me)))
  meanings.set(queue, { terms, state, changedAt, matches })
  return matches
}

/** Returns the facts about a message that conditions test. */
export function narrowFacts(realm: RealmState, message: MessageRow, flags: string[]): MessageFacts {
  return {
    id: message.id,
    recipientId: message.recipient_id,
    isDirect: Boolean(realm.recipients.get(message.recipient_id)?.user_ids),
    senderId: message.sender_id,
    topic: message.topic,
    hasLink: message.has_link,
    hasImage: message.has_image,
    hasAttachment: message.has_attachment,
    flags,
  }
}

/** Clients refer to users by the address that they see. */
function userByApiEmail(realm: RealmState, site: Site, me: AccountRow, email: string) {
  const user = userByStandIn(realm, site, email) ?? realm.userByEmail(email.toLowerCase())
  if (!user || authorView(realm, site, user, me).email.toLowerCase() !== email.toLowerCase()) return undefined
  return user
}

/** Users who are not logged in see only stand-in addresses. */
function userByStandIn(realm: RealmState, site: Site, email: string) {
  const user = realm.users.get(Number(/^user(\d+)@/i.exec(email)?.[1]))
  return user && standInEmail(realm, site, user.id) === email.toLowerCase() ? user : undefined
}
