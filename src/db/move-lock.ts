import { sql } from 'kysely'
import pg from 'pg'
import { codeOf } from '../lib/errors.ts'
import { ignore } from '../lib/guard.ts'
import { firstIn } from '../lib/must.ts'
import type { Db } from './database.ts'

// Advisory locks with two keys, of which the second is the id of an organization. The first may be any number that no other user of the
// database locks.

/** A command holds this lock in the main database while it moves an organization, or deletes it. */
export const moveLock = 0x726f6f6d

/** A transaction holds this lock while it writes rows of an organization in a database where the organization is not (yet, or any longer). */
export const copyLock = 0x726f6f6f

/** Takes the copy lock without waiting, and returns whether it was free. */
export async function tryCopyLock(trx: Db, realmId: number): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    SELECT pg_try_advisory_xact_lock(${copyLock}::integer, ${realmId}::integer) AS "isFree"`.execute(trx)
  return firstIn(rows).isFree
}

/** PostgreSQL's code for a lock that another session holds for longer than `lock_timeout`. */
export const lockNotAvailable = '55P03'

/** Does work while nobody else moves or deletes the organization. The lock ends with this process or its connection. */
export async function withMoveLock<T>(
  mainUrl: string,
  realmId: number,
  work: (main: pg.Client) => Promise<T>,
): Promise<T> {
  const main = new pg.Client({ connectionString: mainUrl, application_name: 'rookery', keepAlive: true })
  main.on('error', ignore)
  await main.connect()
  try {
    // Servers take the lock for a moment, to see whether a command holds it.
    await main.query("SET lock_timeout = '3s'")
    await main.query('SELECT pg_advisory_lock($1, $2)', [moveLock, realmId]).catch((error) => {
      if (codeOf(error) !== lockNotAvailable) throw error
      throw new Error(
        'Another command is moving or deleting this organization: try again when it is finished.',
        { cause: error },
      )
    })
    return await work(main)
  } finally {
    await main.end().catch(ignore)
  }
}

/** From now on, PostgreSQL ends the connection, and so its lock, if this process does not use it for `seconds`: as if it had died. */
export async function endIfSilent(main: pg.Client, seconds: number) {
  await main.query(`SET idle_session_timeout = '${seconds}s'`)
}
