import type { CallerContext } from '../../../../http/endpoint.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { MessagePlace } from '../../../../log/memory/message-place.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isSpectator } from '../../../kernel/channels/web-public.ts'
import type { PageContent, PageMessage } from '../../../kernel/messages/page-rows.ts'
import { isReadAs, receptions } from '../../../kernel/messages/reader-flags.ts'
import { type Anchor, firstUnread, newest } from '../../kernel/messages/anchor.ts'
import type { Narrowed } from '../../kernel/messages/readable-narrow.ts'
import { runKey } from './place-page.ts'
import { isReadIn, lookUpRelations } from './reader-relations.ts'

type Reading = CallerContext<'read' | 'catchUp'>

/**
 * Returns the oldest unread message of a narrow, as firstUnread does. For a topic or a direct conversation, no query is needed if all messages
 * that may be unread are in memory. (For a channel, only the database knows which topics are muted.)
 */
export async function firstUnreadOf(
  context: Reading,
  { place, amongUnread }: Narrowed,
  content: PageContent,
): Promise<Anchor> {
  const { realm, me } = context
  const isTopicOrDirect = place && (place.topic !== undefined || isDirect(realm, place))
  const run = isTopicOrDirect && !isSpectator(me) && realm.newest.get<PageMessage>(runKey(place, content))
  if (run) {
    await lookUpRelations(context, [firstIn(run.messages)])
    const known = (await context.catchUp()) ? inMemory(context, place, content) : undefined
    if (known !== undefined) return known
  }
  return firstUnread(context, amongUnread())
}

function isDirect(realm: RealmState, { recipient }: MessagePlace): boolean {
  return realm.recipients.require(recipient).user_ids !== null
}

/** Returns the anchor; undefined if an older unread message may not be in memory. */
function inMemory({ realm, me }: Reading, place: MessagePlace, content: PageContent): Anchor | undefined {
  const run = realm.newest.get<PageMessage>(runKey(place, content))
  const oldest = run && firstIn(run.messages).id
  const relation = oldest && realm.relations.get(me.id, place.recipient, oldest)
  if (!relation || !(run.isWhole || oldest <= relation.readUpTo)) return undefined
  const receptionOf = receptions(realm, me)
  const isUnread = (message: PageMessage) => {
    const { sender_id, read_by_sender } = message
    const in_read = isReadIn(relation, message.id)
    return !isReadAs(receptionOf(message), me, { sender_id, read_by_sender, in_read })
  }
  return run.messages.find(isUnread)?.id ?? newest
}
