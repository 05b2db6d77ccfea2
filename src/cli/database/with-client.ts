import pg from 'pg'
import { ignore } from '../../lib/guard.ts'

/** Runs queries on the database. Rejects with one sentence if it cannot be reached. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', ignore)
  try {
    await client.connect().catch((error) => {
      throw new Error(`The database cannot be reached: ${reason(error)}.`, { cause: error })
    })
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

function reason(error: Error): string {
  // A name with several addresses fails once for each.
  return error instanceof AggregateError ? error.errors.map(reason).join(', ') : error.message
}
