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
import { headClosing, headOpening, nameFreeing, RealmPlaces } from '../realm-places.ts'
import { advanceSequences, type CopiedTable, copiedTables, copyRealm } from './copy-realm.ts'
import { deleteRows } from './delete-realm.ts'

/** The connections and services with which a command moves an organization. */
type MoveMeans = {
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
type Move = MoveMeans & {
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
 * Moves an organization to another database, while it is served: first its rows, then what has changed meanwhile, and in the end
 * the rest, while nobody can write in it. Returns for how many milliseconds that was. Until the directory names the other
 * database, in one statement, the organization is where it was, whatever happens; afterwards it is there. See docs/decisions/0011-several-databases.md.
 */
export async function moveRealm(mover: MoveMeans, realmId: number, to: string): Promise<number> {
  const { urls, clock } = mover
  const url = must(urls.get(to), `database ${to}`)
  return withMoveLock(must(urls.get(mainDatabase), 'main database'), realmId, (main) =>
    withLongWriter(url, async (target) => {
      await new RealmPlaces(mover.databases).settle(realmId)
      await checkIsNotRead(mover, target, realmId)
      const id = randomUUID()
      const from = await begin(main, { id, realmId, to, now: clock() })
      const tables = await copiedTables(mover.databases.main.read)
      const move: Move = { ...mover, id, realmId, from, to, main, target, tables }
      try {
        return await carryOut(move)
      } catch (error) {
        // If this fails, a server does it.
        await undo(move).catch(ignore)
        throw error
      }
    }),
  )
}

/** Throws if servers may still read the rows that the last move has left there: this move would delete them. */
async function checkIsNotRead({ databases, clock }: MoveMeans, target: Db, realmId: number) {
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

/** Says in the directory that the organization is being moved; returns where it is. */
async function begin(
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
  await decide(move)
  // The organization has moved. If this process ends here, or fails, the servers do the rest.
  move.announce()
  await headOpening(realmId, move.id)
    .execute(target)
    .catch((error) => report(`It has moved, and a server opens it there: ${messageOf(error)}.`))
  const pause = performance.now() - closedAt
  await nameFreeing(realmId, move.id).execute(source.db).catch(ignore)
  return pause
}

/** Copies, and copies again what has changed, until little time is needed for it. Returns a `since` for the rest. */
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

/** Copies all rows, or the rows that have changed since the pass before, in one transaction. */
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
 * Keeps others from writing rows of the organization in the other database, or waits for them. Throws if this move is over
 * meanwhile: then its rows there are no longer its own.
 */
async function takeCopyLock({ realmId, main, id }: Move, trx: Writer) {
  await sql`SELECT pg_advisory_xact_lock(${copyLock}::integer, ${realmId}::integer)`.execute(trx)
  const query = 'SELECT FROM realm_place WHERE realm_id = $1 AND move = $2 AND moving_to IS NOT NULL'
  const { rowCount } = await main.query(query, [realmId, id])
  if (rowCount === 0) throw isOver()
}

function isOver() {
  return new Error('A server took this move for dead, and has ended it; the organization stays where it was.')
}

/** Waits for the writes under way. From here on, none begins. */
async function closeLog({ realmId, id }: Move, { db }: Connections) {
  await db.transaction().execute(async (trx) => {
    // While this waits for a long write, others wait behind it.
    await sql`SELECT set_config('lock_timeout', ${`${logLimits.movePauseSeconds / 2}s`}, true)`.execute(trx)
    await headClosing(realmId, id).execute(trx)
  })
  const closed = db
    .selectFrom('moved_head')
    .where('realm_id', '=', realmId)
    .where('move', '=', id)
    .select('move')
  if (!(await closed.executeTakeFirst())) throw new Error('The organization was deleted, or is being moved.')
}

/** This statement moves the organization: before it, a move is undone, and afterwards it is completed, by any server. */
async function decide({ realmId, id, main, clock }: Move) {
  const { rowCount } = await main.query(
    `UPDATE realm_place SET database = moving_to, moving_to = NULL, changed_at = $3
     WHERE realm_id = $1 AND move = $2 AND moving_to IS NOT NULL`,
    [realmId, id, clock()],
  )
  if (rowCount === 0) throw isOver()
}

async function undo({ realmId, id, main, from, databases }: Move) {
  const query =
    'UPDATE realm_place SET moving_to = NULL WHERE realm_id = $1 AND move = $2 AND moving_to IS NOT NULL'
  const { rowCount } = await main.query(query, [realmId, id])
  if (rowCount === 1) await headOpening(realmId, id).execute(databases.named(from).db)
}
