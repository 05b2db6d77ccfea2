import type pg from 'pg'
import { texts } from '../texts.ts'

/**
 * Inserts groups of messages into a bare table with the columns of `message` and a primary key, one statement and one
 * commit per group.
 */
export async function groupInsert(client: pg.Client, table: string) {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${table} (LIKE message INCLUDING DEFAULTS INCLUDING GENERATED, PRIMARY KEY (realm_id, id))`,
  )
  const { rows } = await client.query(`SELECT coalesce(max(id), 0) AS last FROM ${table}`)
  let last = Number(rows[0].last)
  return async (count: number) => {
    const group = Array.from({ length: count }, () => messageRow(++last))
    await client.query({
      name: 'group insert',
      text: `INSERT INTO ${table} ${rowsOfGroup}`,
      values: [JSON.stringify(group)],
    })
  }
}

const columns = `realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client,
  is_me_message, mentions_channel, mentions_topic, read_by_sender, sent_at`

const rowsOfGroup = `
  (${columns})
  SELECT ${columns} FROM json_to_recordset($1::json) AS x(
    realm_id integer, id bigint, recipient_id integer, sender_id integer, topic text, content text,
    rendered_content text, rendered_version smallint, client text, is_me_message boolean, mentions_channel boolean,
    mentions_topic boolean, read_by_sender boolean, sent_at bigint)`

function messageRow(id: number) {
  const content = texts[id % texts.length]!
  return {
    realm_id: 1,
    id,
    recipient_id: 1,
    sender_id: 1,
    topic: 'greetings',
    content,
    rendered_content: `<p>${content}</p>`,
    rendered_version: 1,
    client: 'bench',
    is_me_message: false,
    mentions_channel: false,
    mentions_topic: false,
    read_by_sender: false,
    sent_at: 1_760_000_000,
  }
}
