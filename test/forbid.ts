import pg from 'pg'

/** Makes the database refuse rows that do not satisfy a condition, while an operation runs. */
export async function forbidding(
  databaseUrl: string,
  { table, unless }: { table: string; unless: string },
  work: () => Promise<void>,
) {
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`ALTER TABLE ${table} ADD CONSTRAINT forbidden CHECK (${unless}) NOT VALID`)
  await work().finally(() => run(`ALTER TABLE ${table} DROP CONSTRAINT forbidden`))
}
