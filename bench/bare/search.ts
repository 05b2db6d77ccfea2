import pg from 'pg'
import type { Bench } from '../bench.ts'
import { idsBefore, type Statement } from './work.ts'

export type Term = { operator: string; operand: string | number }

/** The least that a search costs: the same conditions in the plainest SQL, and the rows of what they find, by id. */
export class BareSearches {
  private readonly realmId: number
  /** The conversations that each reader may search. */
  private readonly recipients: ReadonlyMap<number, number[]>

  private constructor(realmId: number, recipients: ReadonlyMap<number, number[]>) {
    this.realmId = realmId
    this.recipients = recipients
  }

  /** `readers`: users, counted from 0. */
  static async of({ databaseUrl, organization }: Bench, readers: number[]): Promise<BareSearches> {
    const { realmId, firstUser } = organization
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const { rows } = await client.query(
      `SELECT user_id - $2 AS reader, array_agg(recipient_id) AS recipients
       FROM subscription s JOIN channel c ON c.realm_id = s.realm_id AND c.id = channel_id
       WHERE s.realm_id = $1 AND user_id - $2 = ANY($3::integer[]) GROUP BY user_id`,
      [realmId, firstUser, readers],
    )
    await client.end()
    return new BareSearches(realmId, new Map(rows.map(({ reader, recipients }) => [reader, recipients])))
  }

  statements(reader: number, terms: Term[], page: number): Statement[] {
    const values: unknown[] = [this.realmId, this.recipients.get(reader)]
    const conditions = terms.map((term) => conditionOf(term, (value) => `$${values.push(value)}`))
    const find = `SELECT id FROM message WHERE realm_id = $1 AND recipient_id = ANY($2) AND ${conditions.join(' AND ')}
      ORDER BY id DESC LIMIT ${page}`
    return [
      { text: find, values },
      { name: 'rows by id', text: rowsById, values: [this.realmId, idsBefore] },
    ]
  }
}

const rowsById = `SELECT id, sender_id, recipient_id, topic, content, rendered_content, sent_at FROM message
  WHERE realm_id = $1 AND id = ANY($2::bigint[])`

function conditionOf({ operator, operand }: Term, place: (value: unknown) => string): string {
  switch (operator) {
    case 'channel':
      return `recipient_id = (SELECT recipient_id FROM channel WHERE realm_id = $1 AND id = ${place(operand)})`
    case 'topic':
      return `lower(topic) = ${place(operand)}`
    case 'sender':
      return `sender_id = ${place(operand)}`
    default:
      return wordsCondition(String(operand), place)
  }
}

/** All of the words, or those of a phrase next to each other. */
function wordsCondition(text: string, place: (value: unknown) => string): string {
  const phrase = /^"(.*)"$/.exec(text)?.[1]
  return phrase === undefined
    ? `words @@ plainto_tsquery('english', ${place(text)})`
    : `words @@ phraseto_tsquery('english', ${place(phrase)}) AND content ILIKE ${place(`%${phrase}%`)}`
}
