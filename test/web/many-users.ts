import pg from 'pg'

/** Adds members in the database. The server does not hear of it: a node that starts afterwards knows them. */
export async function addMembers(databaseUrl: string, realmId: number, count: number) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `INSERT INTO account (realm_id, delivery_email, full_name, role, can_create_users, created_at)
     SELECT $1, 'person' || n || '@example.com', 'Zoë Person ' || n, 400, false, 1700000000
     FROM generate_series(1, $2::integer) AS n`,
    [realmId, count],
  )
  await client.end()
}
