import { type RawBuilder, sql } from 'kysely'
import type { Connections } from '../db/database.ts'
import type { Databases, NamedDatabase } from '../db/databases.ts'
import { moveLock } from '../db/move-lock.ts'
import type { RealmRow } from '../db/schema.ts'
import { ignore } from '../lib/guard.ts'
import { mainDatabase } from '../lib/main-database.ts'
import { firstIn, must } from '../lib/must.ts'

/** The organization is in no database. */
export class NoSuchRealm extends Error {}

/** The fields of an organization that is looked up by its name. */
export type NamedRealm = Pick<RealmRow, 'id' | 'subdomain' | 'name' | 'icon_file' | 'icon_version'>

/** The entry of an organization in the directory. `movingTo`: the database to which a command moves it. `move`: the id of its last move. */
type RealmPlace = { database: string; movingTo: string | null; move: string | null }

/** The directory of the organizations: the main database says in which database each one is. */
export class RealmPlaces {
  private readonly databases: Databases

  constructor(databases: Databases) {
    this.databases = databases
  }

  get areSeveral(): boolean {
    return this.databases.all.length > 1
  }

  /** Returns the entry of an organization. Organizations without a row are in the main database. */
  async of(realmId: number): Promise<RealmPlace> {
    const row = await this.databases.main.read
      .selectFrom('realm_place')
      .where('realm_id', '=', realmId)
      .select(['database', 'moving_to as movingTo', 'move'])
      .executeTakeFirst()
    return row ?? { database: mainDatabase, movingTo: null, move: null }
  }

  /** Returns the database that has the organization, even if a move has closed its log there. */
  async databaseOf(realmId: number): Promise<NamedDatabase> {
    const name = this.areSeveral ? (await this.of(realmId)).database : mainDatabase
    return { name, connections: this.databases.named(name) }
  }

  /**
   * Returns the organizations with these names, in the order of the names. Throws if one may be in a database that does not respond.
   * `readerOf` returns the reader for a database.
   */
  async named(names: string[], readerOf = ({ read }: Connections) => read): Promise<NamedRealm[]> {
    if (names.length === 0) return []
    const rows: NamedRealm[] = []
    const looks = this.databases.entries.map(async ([database, connections]) => {
      const there = await readerOf(connections)
        .selectFrom('realm')
        .where('subdomain', 'in', names)
        .select(['id', 'subdomain', 'name', 'icon_file', 'icon_version'])
        .execute()
      rows.push(...(await this.onlyPlacedIn(database, there)))
    })
    const found = () => names.flatMap((name) => rows.find(({ subdomain }) => subdomain === name) ?? [])
    const settled = Promise.allSettled(looks)
    const areFound = new Promise<void>((resolve) => {
      for (const look of looks) look.then(() => found().length === names.length && resolve(), ignore)
    })
    // A database that hangs delays nobody whose organization is in another one.
    await Promise.race([settled, areFound])
    if (found().length === names.length) return found()
    const failed = (await settled).find((look) => look.status === 'rejected')
    if (failed) throw failed.reason
    return found()
  }

  /** Returns those rows of a database that are of organizations which it has: a move may have left others behind, or be copying them. */
  async onlyPlacedIn<Row extends { id: number }>(database: string, rows: Row[]): Promise<Row[]> {
    if (rows.length === 0 || !this.areSeveral) return rows
    const places = await this.databases.main.read.rows(sql<{ realm_id: number; database: string }>`
        SELECT realm_id, database FROM realm_place WHERE realm_id = ANY(${rows.map(({ id }) => id)}::integer[])`)
    const databases = new Map(places.map((place) => [place.realm_id, place.database]))
    return rows.filter(({ id }) => (databases.get(id) ?? mainDatabase) === database)
  }

  /**
   * Returns the database in which the organization can be written; undefined while a move has closed its log. Completes or undoes a move whose
   * command has died: if it had not committed, the organization stays where it was, and otherwise it is in the other database.
   */
  async openDatabaseOf(realmId: number): Promise<NamedDatabase | undefined> {
    const { database, movingTo, move: lastMove } = await this.of(realmId)
    const connections = this.databases.named(database)
    const { isOpen, move } = await headIn(connections, realmId)
    if (isOpen) {
      // The command that has moved it may have ended right after it opened it.
      if (lastMove !== null && movingTo === null) this.freeName(realmId, lastMove, database)
      return { name: database, connections }
    }
    if (movingTo !== null && !(await this.endDeadMove(realmId))) return undefined
    if (move === null) throw new NoSuchRealm(`realm ${realmId} does not exist`)
    // Read the directory again, after the id of the move that has closed the log: if nothing moves now, that move has ended, and a later one
    // has another id.
    const now = await this.of(realmId)
    if (now.database !== database || now.movingTo !== null) return undefined
    await openLogStatement(realmId, move).execute(connections.db)
    this.freeName(realmId, move, database)
    return { name: database, connections }
  }

  /** Frees the organization's name in databases where a move has left its rows. Does not wait, as one of them may not respond. */
  private freeName(realmId: number, move: string, present: string) {
    for (const [name, { db }] of this.databases.entries) {
      if (name !== present) freeNameStatement(realmId, move).execute(db).catch(ignore)
    }
  }

  /**
   * Completes or undoes the move of an organization whose command has died, and returns its database. The caller must
   * hold the lock of moves, which a running command would hold.
   */
  async settle(realmId: number): Promise<NamedDatabase> {
    await this.endMove(realmId, sql`true`)
    return must(await this.openDatabaseOf(realmId), 'database of the organization')
  }

  /** Returns the ids of the organizations that are being moved, according to the directory. */
  async moving(): Promise<number[]> {
    const rows = await this.databases.main.read.rows<{ id: number }>(sql`
      SELECT realm_id AS id FROM realm_place WHERE moving_to IS NOT NULL`)
    return rows.map(({ id }) => id)
  }

  /** Ends the move of an organization whose command has died. Returns whether there was such a move. */
  endDeadMove(realmId: number): Promise<boolean> {
    // A command that moves an organization holds the lock as long as it lives.
    return this.endMove(realmId, sql`pg_try_advisory_xact_lock(${moveLock}::integer, realm_id)`)
  }

  /**
   * Ends a move if `isFree`. Undoes it if it was not committed. If its log is open in the other database already, the commit was lost when a
   * standby of the main database took over, so it is repeated.
   */
  private async endMove(realmId: number, isFree: RawBuilder<unknown>): Promise<boolean> {
    const { db } = this.databases.main
    const { rows } = await sql<{ to: string; move: string }>`
      SELECT moving_to AS to, move FROM realm_place
      WHERE realm_id = ${realmId} AND moving_to IS NOT NULL AND ${isFree}`.execute(db)
    const [found] = rows
    if (!found) return false
    const { isOpen: hasArrived } = await headIn(this.databases.named(found.to), realmId)
    const decision = sql`database = moving_to, changed_at = greatest(changed_at, extract(epoch FROM now())::bigint),`
    const { numAffectedRows } = await sql`
      UPDATE realm_place SET ${hasArrived ? decision : sql``} moving_to = NULL
      WHERE realm_id = ${realmId} AND move = ${found.move} AND moving_to IS NOT NULL AND ${isFree}`.execute(
      db,
    )
    return Number(numAffectedRows) > 0
  }
}

type HeadState = { isOpen: boolean; move: string | null }

/**
 * Whether the organization can be written in a database, and if not, which move has closed it there; both as of one
 * moment.
 */
async function headIn({ read }: Connections, realmId: number): Promise<HeadState> {
  const rows = await read.rows(sql<HeadState>`
    SELECT EXISTS (SELECT FROM realm_head WHERE realm_id = ${realmId}) AS "isOpen",
      (SELECT move FROM moved_head WHERE realm_id = ${realmId}) AS move`)
  return firstIn(rows)
}

/** Returns the statement that opens a log: where this move has closed it, or where it has copied the organization. */
export function openLogStatement(realmId: number, move: string): RawBuilder<unknown> {
  return sql`
    WITH opened AS (DELETE FROM moved_head WHERE realm_id = ${realmId} AND move = ${move} RETURNING *)
    INSERT INTO realm_head (realm_id, last_event_id, last_message_id, epoch, stamp)
    SELECT realm_id, last_event_id, last_message_id, epoch, stamp FROM opened`
}

/** Returns the statement that closes an organization's log. It waits for the writes under way, and nobody can write afterwards. */
export function closeLogStatement(realmId: number, move: string): RawBuilder<unknown> {
  return sql`
    WITH closed AS (DELETE FROM realm_head WHERE realm_id = ${realmId} RETURNING *)
    INSERT INTO moved_head (realm_id, last_event_id, last_message_id, epoch, stamp, move)
    SELECT realm_id, last_event_id, last_message_id, epoch, stamp, ${move}::uuid FROM closed`
}

/**
 * Returns the statement that takes the organization's name from the rows that a move has left behind, as another organization may want it.
 * The rows are deleted later, and their log stays closed.
 */
export function freeNameStatement(realmId: number, move: string): RawBuilder<unknown> {
  // The organization may have been moved back meanwhile.
  return sql`
    UPDATE realm SET subdomain = '#' || id WHERE id = ${realmId}
      AND EXISTS (SELECT FROM moved_head WHERE realm_id = ${realmId} AND move = ${move})`
}
