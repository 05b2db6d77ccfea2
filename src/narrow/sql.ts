import { type RawBuilder, sql } from 'kysely'
import { type Condition, resolvedMark } from './condition.ts'
import { ownToSql, withinRecipients } from './own-sql.ts'
import { searchCondition } from './search-sql.ts'

/** The condition as SQL over a row of the table `message` under this alias. Values are always parameters. */
export function conditionToSql(condition: Condition, alias = 'm', isNegated = false): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  switch (condition.kind) {
    case 'recipient':
      return isAnyOf(column('recipient_id'), condition.ids)
    case 'direct':
      return isAnyOf(column('recipient_id'), condition.recipients())
    case 'topic':
      return sql`lower(${column('topic')}) = lower(${condition.name}::text)`
    case 'sender':
      return sql`${column('sender_id')} = ${condition.id}`
    case 'message':
      return sql`${column('id')} = ${condition.id}`
    case 'resolved':
      return sql`starts_with(${column('topic')}, ${sql.lit(resolvedMark)})` // there is an index for exactly this
    case 'contains':
      return sql`${column(`has_${condition.what}`)}`
    case 'flag':
    case 'mentioned':
    case 'unread':
    case 'topicPolicy':
      return ownToSql(condition, column, isNegated)
    case 'reacted':
      return sql`EXISTS (
        SELECT FROM reaction r WHERE r.realm_id = ${column('realm_id')} AND r.message_id = ${column('id')})`
    case 'words':
      return searchCondition(condition.search, column)
    case 'not':
      return sql`NOT (${conditionToSql(condition.of, alias, !isNegated)})`
    case 'all':
      if (condition.of.length === 0) return sql`true`
      return sql`(${sql.join(
        withinRecipients(condition.of).map((part) => conditionToSql(part, alias, isNegated)),
        sql` AND `,
      )})`
    case 'none':
      return sql`false`
  }
}

/** Returns the SQL for "is one of these ids". A single one is compared directly: only then does PostgreSQL read an index on (value, id) in order. */
export function isAnyOf(
  column: RawBuilder<unknown>,
  ids: number[],
  type: 'integer' | 'bigint' = 'integer',
): RawBuilder<boolean> {
  const one = sql.raw(type)
  return ids.length === 1 ? sql`${column} = ${ids[0]}::${one}` : sql`${column} = ANY(${ids}::${one}[])`
}
