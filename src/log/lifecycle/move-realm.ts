import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Connections, Db, LongReader, Writer } from '../../db/database.ts'
import type { Databases } from '../../db/databases.ts'
import { withLongWriter } from '../../db/long-writer.ts'
import { copyLock, endIfSilent, withMoveLock } from '../../db/move-lock.ts'
import { messageOf } from '../../lib/errors.ts'
import { ignore } from '../../lib/guard.ts'
import { mainDatabase } from '../../lib/main-database.ts'
import { firstIn, must } from '../../lib/must.ts'
import type { Actor } from '../audit/actor.ts'
import { noteInAuditLog } from '../audit/note.ts'
import { logLimits } from '../limits.ts'
import { closeLogStatement, freeNameStatement, openLogStatement, RealmPlaces } from '../realm-places.ts'
import { advanceSequences, type CopiedTable, copiedTables, copyRealm } from './copy-realm.ts'
import { deleteRows } from './delete-realm.ts'

/** The command that moves an organization: its connections, and the receivers of its reports. */
type Mover = {
  /** The URLs of all databases, by name. */
  urls: ReadonlyMap<string, string>
  databases: Databases
  actor: Actor
  clock(): number
  /** Tells the servers that the organization has been moved. */
  announce(): void
  /** Receives a line about each step. */
  report(line: string): void
}

/** A move under way. */
type Move = Mover & {
  id: string
  realmId: number
  from: string
  to: string
  /** The session that holds the lock of the move. */
  main: pg.Client
  target: Db
  tables: CopiedTable[]
}

/**
 * Moves an organization to another database while it is served. Copies its rows, then repeatedly what has changed meanwhile, and finally the
 * rest while nobody can write in it. Returns how many milliseconds that last part took. One statement, which names the other database in the
 * directory, commits the move: until then, the organization stays where it was, whatever happens. See
 * docs/decisions/0011-several-databases.md.
 */
export async function moveRealm(mover: Mover, realmId: number, to: string): Promise<number> {
  const { urls, clock } = mover
  const url = must(urls.get(to), `database ${to}`)
  return withMoveLock(must(urls.get(mainDatabase), 'main database'), realmId, (main) =>
    withLongWriter(url, async (target) => {
      await new RealmPlaces(mover.databases).settle(realmId)
      await checkIsNotRead(mover, target, realmId)
      const id = randomUUID()
      const from = await beginMove(main, { id, realmId, to, now: clock() })
      const tables = await copiedTables(mover.databases.main.read)
      const move: Move = { ...mover, id, realmId, from, to, main, target, tables }
      try {
        return await carryOut(move)
      } catch (error) {
        // If this fails, a server undoes the move.
        await undoMove(move).catch(ignore)
        throw error
      }
    }),
  )
}

/** Throws if servers may still read the rows that the last move has left in the target database: this move would delete them. */
async function checkIsNotRead({ databases, clock }: Mover, target: Db, realmId: number) {
  const left = target.selectFrom('moved_head').where('realm_id', '=', realmId).select('move')
  const last = databases.main.read
    .selectFrom('realm_place')
    .where('realm_id', '=', realmId)
    .select('changed_at')
  const [isLeft, place] = [await left.executeTakeFirst(), await last.executeTakeFirst()]
  const seconds = isLeft && place ? place.changed_at + logLimits.moveBackSeconds - clock() : 0
  if (seconds > 0)
    throw new Error(
      `The organization was moved away from there a moment ago. Try again in ${seconds} seconds.`,
    )
}

/** Notes in the directory that the organization is being moved. Returns the name of the database where it is. */
async function beginMove(
  main: pg.Client,
  { id, realmId, to, now }: { id: string; realmId: number; to: string; now: number },
): Promise<string> {
  const { rows } = await main.query<{ database: string }>(
    `INSERT INTO realm_place AS p (realm_id, database, moving_to, move, changed_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (realm_id) DO UPDATE SET moving_to = $3, move = $4, changed_at = $5 RETURNING p.database`,
    [realmId, mainDatabase, to, id, now],
  )
  return firstIn(rows).database
}

async function carryOut(move: Move): Promise<number> {
  const { realmId, target, report } = move
  const source = move.databases.named(move.from)
  await target.transaction().execute(async (trx) => {
    await takeCopyLock(move, trx)
    const head = trx.selectFrom('realm_head').where('realm_id', '=', realmId).select('realm_id')
    if (await head.executeTakeFirst()) {
      throw new Error(
        `The databases ${move.from} and ${move.to} are one and the same: see ROOKERY_DATABASES.`,
      )
    }
    // Rows that an earlier move copied or left here.
    await deleteRows(trx, realmId)
  })
  report('Copying the organization.')
  const since = await copyUntilClose(move, source)
  // If this process or its machine hangs from here on, the servers reopen the log.
  await endIfSilent(move.main, logLimits.movePauseSeconds + 1)
  const closedAt = performance.now()
  await closeLog(move, source)
  const end = closedAt + logLimits.movePauseSeconds * 1000
  await pass(move, source, since, () => {
    if (performance.now() > end)
      throw new Error('The last part took too long; the organization stays where it was.')
  })
  await commitMove(move)
  // The organization has moved. If this process ends here, or fails, the servers do the rest.
  move.announce()
  await openLogStatement(realmId, move.id)
    .execute(target)
    .catch((error) => report(`It has moved, and a server opens it there: ${messageOf(error)}.`))
  const pause = performance.now() - closedAt
  await freeNameStatement(realmId, move.id).execute(source.db).catch(ignore)
  return pause
}

/** Copies all rows, and then repeatedly those that have changed, until that takes little time. Returns a `since` for the rest. */
async function copyUntilClose(move: Move, source: Connections): Promise<string> {
  let since: string | undefined
  for (let round = 0; ; round++) {
    const begun = performance.now()
    since = await pass(move, source, since)
    const seconds = (performance.now() - begun) / 1000
    if (round === 0) continue
    if (seconds <= logLimits.movePauseSeconds / 4) return since
    if (round < logLimits.moveRounds) continue
    throw new Error(
      `Nobody could write in the organization for more than ${Math.ceil(seconds)} seconds: move it when less is written.`,
    )
  }
}

/** Copies all rows, or those that have changed since an earlier pass, in one transaction. Returns a `since` for the next pass. */
function pass(move: Move, source: Connections, since?: string, check = () => {}): Promise<string> {
  const { realmId, target, actor, clock, report } = move
  const note = {
    kind: 'organization.move',
    object: 'organization',
    details: { from: move.from, to: move.to },
  } as const
  return source.read.longSnapshot(async (at: LongReader) => {
    const closed = await at.rows(
      sql`SELECT FROM moved_head WHERE realm_id = ${realmId} AND move = ${move.id}`,
    )
    const isLast = closed.length > 0
    await advanceSequences(at, target, isLast, report)
    return target.transaction().execute(async (trx) => {
      await takeCopyLock(move, trx)
      const next = await copyRealm({ at, trx, realmId, tables: move.tables, check }, since)
      if (isLast) await noteInAuditLog(trx, realmId, actor, note, clock())
      return next
    })
  })
}

/**
 * Waits for others that write rows of the organization in the target database, and keeps them from it. Throws if this move has ended
 * meanwhile: then another one may own the rows there.
 */
async function takeCopyLock({ realmId, main, id }: Move, trx: Writer) {
  await sql`SELECT pg_advisory_xact_lock(${copyLock}::integer, ${realmId}::integer)`.execute(trx)
  const query = 'SELECT FROM realm_place WHERE realm_id = $1 AND move = $2 AND moving_to IS NOT NULL'
  const { rowCount } = await main.query(query, [realmId, id])
  if (rowCount === 0) throw moveEndedError()
}

function moveEndedError() {
  return new Error('A server took this move for dead, and has ended it; the organization stays where it was.')
}

/** Waits for the writes under way. From here on, none begins. */
async function closeLog({ realmId, id }: Move, { db }: Connections) {
  await db.transaction().execute(async (trx) => {
    // While this waits for a long write, others wait behind it.
    await sql`SELECT set_config('lock_timeout', ${`${logLimits.movePauseSeconds / 2}s`}, true)`.execute(trx)
    await closeLogStatement(realmId, id).execute(trx)
  })
  const closed = db
    .selectFrom('moved_head')
    .where('realm_id', '=', realmId)
    .where('move', '=', id)
    .select('move')
  if (!(await closed.executeTakeFirst())) throw new Error('The organization was deleted, or is being moved.')
}

/** Commits the move, by one statement. If the command dies before it, any server undoes the move; afterwards, any server completes it. */
async function commitMove({ realmId, id, main, clock }: Move) {
  const { rowCount } = await main.query(
    `UPDATE realm_place SET database = moving_to, moving_to = NULL, changed_at = $3
     WHERE realm_id = $1 AND move = $2 AND moving_to IS NOT NULL`,
    [realmId, id, clock()],
  )
  if (rowCount === 0) throw moveEndedError()
}

async function undoMove({ realmId, id, main, from, databases }: Move) {
  const query =
    'UPDATE realm_place SET moving_to = NULL WHERE realm_id = $1 AND move = $2 AND moving_to IS NOT NULL'
  const { rowCount } = await main.query(query, [realmId, id])
  if (rowCount === 1) await openLogStatement(realmId, id).execute(databases.named(from).db)
}
