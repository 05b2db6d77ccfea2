import { type RawBuilder, sql } from 'kysely'
import type { Condition } from './condition.ts'

/** The condition as SQL over a row of the table `message` under this alias. Values are always parameters. */
export function conditionToSql(condition: Condition, alias = 'm'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  switch (condition.kind) {
    case 'recipient':
      return isAnyOf(column('recipient_id'), condition.ids)
    case 'topic':
      return sql`lower(${column('topic')}) = lower(${condition.name}::text)`
    case 'sender':
      return sql`${column('sender_id')} = ${condition.id}`
    case 'message':
      return sql`${column('id')} = ${condition.id}`
    case 'not':
      return sql`NOT (${conditionToSql(condition.of, alias)})`
    case 'all':
      if (condition.of.length === 0) return sql`true`
      return sql`(${sql.join(
        condition.of.map((part) => conditionToSql(part, alias)),
        sql` AND `,
      )})`
    case 'none':
      return sql`false`
  }
}

/** One value is compared directly: only then does PostgreSQL walk an index on (value, id) in the order of ids. */
export function isAnyOf(column: RawBuilder<unknown>, ids: number[]): RawBuilder<boolean> {
  return ids.length === 1 ? sql`${column} = ${ids[0]}::integer` : sql`${column} = ANY(${ids}::integer[])`
}
