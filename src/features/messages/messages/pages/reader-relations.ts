import { sql } from 'kysely'
import type { AccountRow } from '../../../../db/schema.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { groupBy } from '../../../../lib/collections/group-by.ts'
import { firstIn } from '../../../../lib/must.ts'
import { type LogMoment, logMoment } from '../../../../log/log-moment.ts'
import type { Placed, Relation } from '../../../../log/memory/relations.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isInIntervals } from '../../../../queues/audience.ts'
import { readUpToSql } from '../../../kernel/flags/unread.ts'
import { intervalsOf, type PageMessage } from '../../../kernel/messages/page-rows.ts'

/**
 * For each conversation: the id below which the reader has read all messages, and the ranges of ids that they have read, as PostgreSQL writes
 * them; and the reader's flags.
 */
type FoundRelations = LogMoment & {
  read: Record<number, [readUpTo: number, ranges: string]> | null
  flags: [recipient: number, messageId: number, flag: string][] | null
}

/**
 * Reads into memory the caller's relations to the conversations of these messages, from the first message on, unless they are there already.
 * `since`: the id of an earlier message from which to read them, for earlier pages.
 */
export async function lookUpRelations(
  context: CallerContext<'read'>,
  messages: readonly Placed[],
  since?: number,
) {
  const { realm, me } = context
  const first = messages[0]?.id ?? 0
  const recipients = new Set(messages.map(({ recipient_id }) => recipient_id))
  const missing = [...recipients].filter((recipient) => !realm.relations.get(me.id, recipient, first))
  if (missing.length === 0) return
  const from = since ?? first
  const found = await readRelations(context, missing, from)
  if (!realm.mayKeep(found)) return
  const flagsOf = groupBy(found.flags ?? [], ([recipient]) => recipient)
  for (const recipient of missing) {
    const flags = new Map<number, string[]>()
    for (const [, id, flag] of flagsOf.get(recipient) ?? []) flags.set(id, [...(flags.get(id) ?? []), flag])
    const [readUpTo, ranges] = found.read?.[recipient] ?? [0, '']
    const read = intervalsOf(ranges)
    realm.relations.put(me.id, recipient, { from, readUpTo, read, readSince: new Map(), flags })
  }
}

/** Reads relations. The statement is not prepared: its best plan depends on how many flags the reader has, and how many messages there are. */
async function readRelations(
  { realm, me, read }: CallerContext<'read'>,
  recipients: number[],
  from: number,
): Promise<FoundRelations> {
  const ofReader = sql`realm_id = ${realm.id} AND user_id = ${me.id}`
  const rows = await read.rows<FoundRelations>(sql`
    SELECT ${logMoment(realm.id)},
      (SELECT json_object_agg(recipient_id,
          json_build_array(${readUpToSql(sql`read`)}, read * int8multirange(int8range(${from}::bigint, NULL))))
        FROM read_state WHERE ${ofReader} AND recipient_id = ANY(${recipients}::integer[])) AS read,
      (SELECT json_agg(json_build_array(recipient_id, message_id, flag) ORDER BY flag)
        FROM (SELECT message_id, flag FROM message_flag WHERE ${ofReader} AND message_id >= ${from}) AS f
        JOIN message m ON m.realm_id = ${realm.id} AND m.id = f.message_id
        WHERE recipient_id = ANY(${recipients}::integer[])) AS flags`)
  return firstIn(rows)
}

/** Returns messages with the caller's read state and flags; undefined if one of the relations is not in memory. */
export function asCallerSees(
  realm: RealmState,
  me: AccountRow,
  messages: readonly PageMessage[],
): PageMessage[] | undefined {
  const from = messages[0]?.id ?? 0
  const known = new Map<number, Relation>()
  const related: PageMessage[] = []
  for (const message of messages) {
    const { id, recipient_id } = message
    const relation = known.get(recipient_id) ?? realm.relations.get(me.id, recipient_id, from)
    if (!relation) return undefined
    known.set(recipient_id, relation)
    related.push(withRelation(message, isReadIn(relation, id), relation.flags.get(id)))
  }
  return related
}

/** Returns whether the reader has read a message that the relation covers. */
export function isReadIn({ read, readSince }: Relation, id: number): boolean {
  return readSince.get(id) ?? isInIntervals(read, id)
}

/** Returns a message with a reader's read state and flags. It assigns field by field, as spreading the object would double the work. */
export function withRelation(
  message: PageMessage,
  in_read: boolean,
  own_flags: readonly string[] = [],
): PageMessage {
  return {
    id: message.id,
    recipient_id: message.recipient_id,
    sender_id: message.sender_id,
    sent_at: message.sent_at,
    is_me_message: message.is_me_message,
    mentions_channel: message.mentions_channel,
    read_by_sender: message.read_by_sender,
    in_read,
    topic: message.topic,
    client: message.client,
    contentJson: message.contentJson,
    edit_history: message.edit_history,
    last_edited_at: message.last_edited_at,
    last_moved_at: message.last_moved_at,
    topic_mentioned: message.topic_mentioned,
    own_flags,
    reactions: message.reactions,
    submessages: message.submessages,
    segments: message.segments,
  }
}
