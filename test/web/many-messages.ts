import pg from 'pg'

type Copied = { words: number; picture: number; messages: number }

/**
 * Copies two messages in the database up to this number, read by all; each tenth is the picture. Sending them takes
 * minutes. The server does not hear of it: a node that starts afterwards knows them.
 */
export async function multiply(databaseUrl: string, realmId: number, { words, picture, messages }: Copied) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const same = 'realm_id, recipient_id, sender_id, topic, content, rendered_version, client, sent_at'
  await client.query(
    `INSERT INTO message (${same}, id, rendered_content)
     SELECT ${same}, n, replace(rendered_content, 'ONE', n::text)
     FROM generate_series($3::bigint + 1, $4) AS n
     JOIN message ON realm_id = $1 AND id = CASE WHEN n % 10 = 0 THEN $3 ELSE $2::bigint END`,
    [realmId, words, picture, messages],
  )
  await client.query('UPDATE read_state SET read = int8multirange(int8range(1, $2)) WHERE realm_id = $1', [
    realmId,
    messages + 1,
  ])
  await client.query('UPDATE realm_head SET last_message_id = $2 WHERE realm_id = $1', [realmId, messages])
  await client.end()
}
