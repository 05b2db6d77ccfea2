import pg from 'pg'

/**
 * Remembers a database's content, to be restored later: as after the restore of an older copy, or after a standby took
 * over that had not received everything. The database itself cannot tell: it is the same file of the same cluster.
 */
export async function remember(url: string): Promise<{ goBack(): Promise<void> }> {
  const schema = `copy_${++copies}`
  const tables = await within(url, async (client) => {
    const { rows } = await client.query<{ name: string; columns: string }>(`
      SELECT c.relname AS name, string_agg(format('%I', a.attname), ', ') AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.relname`)
    await client.query(`CREATE SCHEMA ${schema}`)
    for (const { name } of rows) await client.query(`CREATE TABLE ${schema}.${name} AS TABLE public.${name}`)
    await client.query(`CREATE TABLE ${schema}.sequences AS
      SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`)
    return rows
  })
  const goBack = () =>
    within(url, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica')
      await client.query(`LOCK ${tables.map(({ name }) => `public.${name}`).join()}`)
      for (const { name, columns } of tables) {
        await client.query(`DELETE FROM public.${name}`)
        await client.query(`INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE
          SELECT ${columns} FROM ${schema}.${name}`)
      }
      await client.query(
        `SELECT setval(format('public.%I', sequencename)::regclass, last_value) FROM ${schema}.sequences`,
      )
    })
  return { goBack }
}

let copies = 0

async function within<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } finally {
    await client.end()
  }
}
