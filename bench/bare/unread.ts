import pg from 'pg'
import type { Bench } from '../bench.ts'
import type { Answer } from './http.ts'
import type { BareWork, Statement } from './work.ts'

/** What must be read and written for a reader's unread messages: in tables like ours, with commits like ours. */
export class BareReader {
  private readonly client: pg.Client
  private readonly realmId: number
  private readonly userId: number

  private constructor(client: pg.Client, realmId: number, userId: number) {
    this.client = client
    this.realmId = realmId
    this.userId = userId
  }

  /** `reader`: a user, counted from 0. */
  static async open({ databaseUrl, organization }: Bench, reader: number): Promise<BareReader> {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(
      `CREATE TABLE bare_read (LIKE read_state INCLUDING ALL);
       INSERT INTO bare_read SELECT * FROM read_state;
       CREATE TABLE bare_log (LIKE event_log INCLUDING DEFAULTS INCLUDING STORAGE)`,
    )
    return new BareReader(client, organization.realmId, organization.firstUser + reader)
  }

  /** Returns the work of reading all messages after this id, by topic and as one text. */
  readsAfter(id: number, answer: Answer): BareWork {
    const text = `SELECT json_agg(x)::text FROM (SELECT recipient_id, topic, array_agg(id) AS ids FROM message
      WHERE realm_id = $1 AND id > $2 GROUP BY recipient_id, topic) AS x`
    return { statements: [{ text, values: [this.realmId, id] }], answer }
  }

  /** Looks the messages up, changes the ranges of what was read in each conversation, and logs what ours has just logged. */
  async marks(op: 'add' | 'remove', ids: number[], answer: Answer): Promise<BareWork> {
    const values = [this.realmId, ids]
    const found = await this.client.query(
      `SELECT array_agg(recipient_id) AS recipients, array_agg(range) AS ranges FROM (
         SELECT recipient_id, int8multirange(int8range(min(id), max(id) + 1))::text AS range FROM message
         WHERE realm_id = $1 AND id = ANY($2) GROUP BY recipient_id) AS x`,
      values,
    )
    const { recipients, ranges } = found.rows[0]
    const statements: Statement[] = [
      {
        text: 'SELECT id, recipient_id, sender_id FROM message WHERE realm_id = $1 AND id = ANY($2)',
        values,
      },
      { text: 'BEGIN' },
      { text: markSql(op), values: [this.realmId, this.userId, recipients, ranges] },
      {
        text: 'INSERT INTO bare_log SELECT * FROM json_populate_record(NULL::bare_log, $1)',
        values: [await this.newestMark()],
      },
      { text: 'COMMIT' },
    ]
    return { statements, answer }
  }

  close() {
    return this.client.end()
  }

  /** Returns the newest entry of the log that marks messages. What the server does by itself may have been logged since. */
  private async newestMark(): Promise<string> {
    const { rows } = await this.client.query(
      `SELECT to_json(e)::text AS entry FROM event_log e WHERE realm_id = $1 AND type = 'update_message_flags'
       ORDER BY id DESC LIMIT 1`,
      [this.realmId],
    )
    return rows[0].entry
  }
}

function markSql(op: 'add' | 'remove') {
  return `INSERT INTO bare_read AS s (realm_id, user_id, recipient_id, read)
    SELECT $1, $2, recipient, range::int8multirange FROM unnest($3::integer[], $4::text[]) AS x(recipient, range)
    ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = s.read ${op === 'add' ? '+' : '-'} excluded.read`
}
