import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { MessageRow, ReactionRow } from '../../../db/schema.ts'
import { checkActive } from '../../../http/callers/authenticate.ts'
import { noSuchMessage } from '../../../lib/api-error.ts'
import { batchedWrite } from '../../../log/batched-write.ts'
import { checkNotArchived, mayRead } from '../messages/access.ts'
import { audienceOf } from '../messages/audience.ts'
import { reactionAdded } from './reaction.event.ts'

/** A reaction as messages show it. */
export type Reaction = Pick<ReactionRow, 'emoji_name' | 'emoji_code' | 'reaction_type' | 'user_id'>

/** Returns the reactions to a message, oldest first. */
export async function reactionsTo(read: Reader, realmId: number, messageId: number): Promise<Reaction[]> {
  return read
    .selectFrom('reaction')
    .where('realm_id', '=', realmId)
    .where('message_id', '=', messageId)
    .orderBy('id')
    .select(['emoji_name', 'emoji_code', 'reaction_type', 'user_id'])
    .execute()
}

/**
 * Returns the reactions to the messages with these ids, oldest first: pairs [message id, Reaction], as one JSON value.
 */
export function reactionPairs(realmId: number, ids: RawBuilder<unknown>) {
  return sql`
    SELECT json_agg(json_build_array(message_id, json_build_object('emoji_name', emoji_name, 'emoji_code', emoji_code,
      'reaction_type', reaction_type, 'user_id', user_id)) ORDER BY id)
    FROM reaction WHERE realm_id = ${realmId} AND message_id = ANY(${ids})`
}

export type NewReaction = {
  message: Pick<MessageRow, 'id' | 'recipient_id'>
  reaction: Reaction
  /** The number of the log up to which it is known that the user may read the message. */
  checkedAt: number
  /** The users with a flag or reaction on the message before; see usersWithFlagOrReactionQuery. */
  holders: number[]
}

/**
 * Commits reactions in groups. The table refuses a duplicate reaction, and a reaction to a message that was deleted or is no longer in
 * the conversation whose readers are told.
 */
export const addReactionWrite = batchedWrite<NewReaction>({
  name: 'react',
  takesMessageId: false,

  writes: {
    sql: (items) => `
      react AS (
        INSERT INTO reaction (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
        SELECT $1::integer, (
          SELECT m.id FROM message m
          WHERE m.realm_id = $1::integer AND m.id = x.message_id AND m.recipient_id = x.recipient_id
        ), x.user_id, x.reaction_type, x.emoji_code, x.emoji_name
        FROM head, json_to_recordset(${items}) AS x(
          message_id bigint, recipient_id integer, user_id integer, reaction_type text, emoji_code text, emoji_name text)
      )`,

    row: ({ message: { id, recipient_id }, reaction }) => ({ message_id: id, recipient_id, ...reaction }),
  },

  entry({ message, reaction, holders, checkedAt }, next, _now, realm) {
    const user = realm.users.require(reaction.user_id)
    if (realm.changedAt > checkedAt) {
      checkActive(realm, user)
      if (!mayRead(realm, user, message)) throw noSuchMessage()
      checkNotArchived(realm, message)
    }
    const audience = audienceOf(realm, message, next, [...holders, reaction.user_id])
    return { event: reactionAdded(message.id, reaction), audience }
  },
})
