import { sql } from 'kysely'
import type { AccountRow } from '../../../../db/schema.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { firstIn } from '../../../../lib/must.ts'
import { type LogMoment, logMoment } from '../../../../log/log-moment.ts'
import type { Placed } from '../../../../log/memory/relations.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { mayRead } from '../../../kernel/messages/access.ts'
import { receptionOf } from '../../../kernel/messages/reader-flags.ts'

/** Returns the messages that the reader never received, but has starred or reacted to, as far as they may read them. */
export async function touchedElsewhere(context: CallerContext<'read' | 'catchUp'>): Promise<number[]> {
  const { realm, me } = context
  const isKept = realm.relations.touched(me.id) && (await context.catchUp())
  const touched = isKept ? realm.relations.touched(me.id) : undefined
  return readable(realm, me, touched ?? (await lookUpTouched(context)))
}

/** Returns these messages if they are in memory; see `lookUpTouched`. */
export function touchedInMemory(realm: RealmState, me: AccountRow): number[] | undefined {
  const touched = realm.relations.touched(me.id)
  return touched && readable(realm, me, touched)
}

function readable(realm: RealmState, me: AccountRow, touched: readonly Placed[]): number[] {
  return touched.filter((message) => mayRead(realm, me, message)).map(({ id }) => id)
}

/** Messages with their conversations, as pairs of ids. */
export type FoundPlaces = LogMoment & { messages: [number, number][] | null }

export function placedIn({ messages }: Pick<FoundPlaces, 'messages'>): Placed[] {
  return (messages ?? []).map(([id, recipient_id]) => ({ id, recipient_id }))
}

/** Reads such messages, whether or not the reader may read them. They stay in memory. */
export async function lookUpTouched({ realm, me, read }: CallerContext<'read'>): Promise<Placed[]> {
  const rows = await read.prepared<FoundPlaces>(
    'touched',
    sql`
    SELECT ${logMoment(realm.id)}, (
      SELECT json_agg(json_build_array(m.id, m.recipient_id)) FROM (
        SELECT message_id FROM message_flag WHERE realm_id = ${realm.id} AND user_id = ${me.id}
        UNION SELECT message_id FROM reaction WHERE realm_id = ${realm.id} AND user_id = ${me.id}) AS touched
      -- Each by its id: a join may read all messages of an organization to find none.
      CROSS JOIN LATERAL (
        SELECT id, recipient_id FROM message WHERE realm_id = ${realm.id} AND id = touched.message_id LIMIT 1) AS m) AS messages`,
  )
  const found = firstIn(rows)
  const touched = placedIn(found).filter((message) => receptionOf(realm, me, message) === 'none')
  if (realm.mayKeep(found)) realm.relations.putTouched(me.id, touched)
  return touched
}
