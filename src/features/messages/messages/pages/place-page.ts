import type { CallerContext } from '../../../../http/endpoint.ts'
import { firstIn, lastIn } from '../../../../lib/must.ts'
import type { MessagePlace } from '../../../../log/memory/message-place.ts'
import type { Run } from '../../../../log/memory/newest-messages.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isSpectator } from '../../../kernel/channels/web-public.ts'
import { mayRead, visibleIn } from '../../../kernel/messages/access.ts'
import { MessageSegments } from '../../../kernel/messages/message-segments.ts'
import type { MessageWindow } from '../../../kernel/messages/page-queries.ts'
import type { PageContent, PageMessage } from '../../../kernel/messages/page-rows.ts'
import { newest } from '../../kernel/messages/anchor.ts'
import { sentMessage, sizeInMemory } from './messages-in-memory.ts'
import { asCallerSees, lookUpRelations } from './reader-relations.ts'

/**
 * Returns a page of messages of one place, as `fromDatabase` does. If all of them are in memory, with the reader's read state and flags,
 * nothing is read but the end of the log: what other nodes have written until now must be in the page.
 */
export async function placePage(
  context: CallerContext<'read' | 'catchUp'>,
  place: MessagePlace,
  content: PageContent,
  page: MessageWindow,
  fromDatabase: () => Promise<PageMessage[]>,
): Promise<PageMessage[]> {
  const { realm, me } = context
  if (isSpectator(me)) return fromDatabase()
  const key = runKey(place, content)
  const inMemory = () => {
    const run = realm.newest.get<PageMessage>(key)
    return run && pageFrom(run, page)
  }
  const known = inMemory()
  if (known) {
    await lookUpRelations(context, known.messages, known.since)
    const isCurrent = await context.catchUp()
    // The news may be that the reader has lost access.
    if (visibleIn(realm, me, [place.recipient]).whole.length === 0)
      return (await fromDatabase()).filter((message) => mayRead(realm, me, message))
    const part = isCurrent ? inMemory() : undefined
    const related = part && asCallerSees(realm, me, part.messages)
    if (related) {
      realm.newest.countPage()
      return related
    }
  }
  return readAndKeep(realm, place, content, page, fromDatabase)
}

/** Returns the key of the run with the newest messages of a place, in one form of their content. */
export function runKey({ recipient, topic }: MessagePlace, content: PageContent): string {
  return [recipient, content, ...(topic === undefined ? [] : [topic])].join(' ')
}

async function readAndKeep(
  realm: RealmState,
  place: MessagePlace,
  content: PageContent,
  page: MessageWindow,
  fromDatabase: () => Promise<PageMessage[]>,
): Promise<PageMessage[]> {
  const watch = realm.newest.watch(place.recipient)
  try {
    const messages = await fromDatabase()
    const older = messages.filter(({ id }) => id <= page.anchor)
    const isWhole = older.length < page.before || page.anchor <= 0
    const read = { topic: place.topic, messages, isWhole, upTo: reachOf(messages, page) }
    const kept = realm.newest.put(runKey(place, content), watch, read, formOf(content))
    for (const message of kept?.messages ?? []) message.segments ??= new MessageSegments(kept!)
    return messages
  } finally {
    realm.newest.forget(watch)
  }
}

/** Returns the id up to which a page has all messages of its place; Infinity if it ends with the newest one. */
function reachOf(messages: PageMessage[], { anchor, after }: MessageWindow): number {
  const isToTheEnd = anchor >= newest || messages.filter(({ id }) => id > anchor).length < after
  if (isToTheEnd) return Number.POSITIVE_INFINITY
  return after === 0 ? anchor : lastIn(messages).id
}

type PageInMemory = {
  messages: readonly PageMessage[]
  /** The id of the first message of the place that is in memory. */
  since: number
}

/** Returns the messages of a page from a run; undefined if the page may have messages that are older than the run. */
function pageFrom(
  { messages, isWhole }: Run<PageMessage>,
  { anchor, before, after }: MessageWindow,
): PageInMemory | undefined {
  // Most pages are at the end.
  const upTo = messages.findLastIndex(({ id }) => id <= anchor) + 1
  if (upTo < before && !isWhole) return undefined
  const from = Math.max(0, upTo - before)
  return { messages: messages.slice(from, upTo + after), since: firstIn(messages).id }
}

/** Returns the form in which messages are kept. */
function formOf(content: PageContent) {
  return { sizeOf: sizeInMemory, take: (body: unknown, run: Run) => sentMessage(body, content, run) }
}
