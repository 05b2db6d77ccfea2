import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { type TableShape, tableShapes } from '../../db/catalog.ts'
import type { Db } from '../../db/database.ts'
import { withLongWriter } from '../../db/long-writer.ts'
import { lockNotAvailable } from '../../db/move-lock.ts'
import type { Database } from '../../db/schema.ts'
import { codeOf } from '../../lib/errors.ts'
import { firstIn } from '../../lib/must.ts'
import type { Actor } from '../audit/actor.ts'
import { noteInAuditLog } from '../audit/note.ts'
import { logLimits } from '../limits.ts'
import { importOlder } from './import-older.ts'

/** The description of an organization before its rows arrive. */
type ImportedRealm = {
  /** The organization keeps this id if it is free here. */
  id: number
  lastMessageId: number
  /** The migrations of the version that its rows are from, if that is an older one. */
  older?: string[] | undefined
  highest: HighestNumbers
}

/** By table and column: the highest number that an organization's rows have from a sequence. */
export type HighestNumbers = Record<string, Record<string, number>>

/** `knownElsewhere`: the uuids of the organizations in other databases. `report`: receives a line about what it waits for. */
type Importer = {
  actor: Actor
  now: number
  knownElsewhere?: string[] | undefined
  report(line: string): void
}

/** Receives the rows of an organization, table by table: each after those that it refers to. */
export type RowSink = {
  /** The organization's id here. */
  realmId: number
  /** Whether another organization here has this uuid. */
  isKnown(uuid: string): boolean
  /** Adds rows, each as the JSON of an object with these columns. Throws if the table does not have them. */
  add(table: string, columns: string[], rows: string[]): Promise<void>
}

/**
 * Creates an organization from rows of another server, in one transaction: all of it, or nothing. Ids stay as they are,
 * since they only have to be unique within an organization; the sequences continue beyond them. Its log begins anew.
 */
export async function importRealm<T>(
  url: string,
  realm: ImportedRealm,
  work: (sink: RowSink) => Promise<T>,
  { actor, now, knownElsewhere = [], report }: Importer,
): Promise<T> {
  return withLongWriter(url, async (db) => {
    const shapes = await tableShapes({ rows: async (query) => (await query.execute(db)).rows })
    const highest = { ...realm.highest, realm: { id: realm.id } }
    await checkRoom(db, shapes, highest)
    await raiseSequences(db, shapes, highest, report)
    return db.transaction().execute(async (trx) => {
      const realmId = await chooseId(trx, realm.id)
      const here = await trx.selectFrom('realm').select('uuid').execute()
      const known = new Set([...here.map(({ uuid }) => uuid), ...knownElsewhere])
      const take = (own: TableShape[]) => work(sinkOf(trx, own, known, realmId))
      const result = await (realm.older ? importOlder(trx, shapes, realm.older, take) : take(shapes))
      await checkNumbers(trx, realmId, realm)
      await checkPaths(trx, realmId)
      await complete(trx, realmId, realm.lastMessageId)
      await noteInAuditLog(trx, realmId, actor, { kind: 'organization.import', object: 'organization' }, now)
      return result
    })
  })
}

/** Moves the sequences beyond numbers that rows of a new organization will keep. Throws if these are too high to be true. */
export async function reserveNumbers(db: Db, highest: HighestNumbers, report?: (line: string) => void) {
  const shapes = await tableShapes({ rows: async (query) => (await query.execute(db)).rows })
  await checkRoom(db, shapes, highest)
  await raiseSequences(db, shapes, highest, report)
}

/**
 * Moves the sequences beyond the numbers that the rows may have. An insert takes numbers under a lock of the table that
 * excludes ours, so none is given twice; and as we hold one lock at a time, there is no deadlock. `report` receives a line
 * if this waits behind a long write; without it, this does not wait, and throws.
 */
export async function raiseSequences(
  db: Db,
  shapes: TableShape[],
  highest: HighestNumbers,
  report?: (line: string) => void,
) {
  for (const { name, sequences } of shapes) {
    for (const { column, sequence } of sequences) {
      const number = highest[name]?.[column] ?? 0
      if (number > 0) await raise(db, { table: name, sequence, number }, report)
    }
  }
}

type Raise = { table: string; sequence: string; number: number }

async function raise(db: Db, to: Raise, report?: (line: string) => void) {
  let patience: number = logLimits.tableLockMs
  while (!(await tryRaise(db, to, patience))) {
    const fault = `Something writes in ${to.table} for long`
    if (!report) throw new Error(`${fault}.`)
    if (patience === logLimits.tableLockMs) report(`${fault}: waiting for it.`)
    // Others have been waiting behind this.
    await sleep(patience * 2)
    patience = logLimits.vacuumedTableLockMs
  }
}

/** Returns false if a long write is under way in the table: all who insert there would wait behind this. */
async function tryRaise(db: Db, { table, sequence, number }: Raise, patience: number): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('lock_timeout', ${`${patience}ms`}, true)`.execute(trx)
      await sql`LOCK TABLE ${sql.table(table)} IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
      await sql`SELECT setval(${sequence}::regclass, greatest(${number}::bigint, last_value), true)
        FROM ${sql.table(sequence)}`.execute(trx)
    })
    return true
  } catch (error) {
    if (codeOf(error) !== lockNotAvailable) throw error
    return false
  }
}

async function chooseId(trx: Transaction<Database>, wanted: number): Promise<number> {
  // As an insert does, before a number is taken.
  await sql`LOCK TABLE realm IN ROW EXCLUSIVE MODE`.execute(trx)
  // It may be in another database.
  const ids = trx
    .selectFrom('realm')
    .select('id')
    .union(trx.selectFrom('realm_place').select('realm_id as id'))
  const taken = await trx.selectFrom(ids.as('realm')).where('id', '=', wanted).select('id').executeTakeFirst()
  if (!taken) return wanted
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('realm', 'id')) AS id`.execute(trx)
  return firstIn(rows).id
}

/** `known`: the uuids of the organizations that are here. */
function sinkOf(
  trx: Transaction<Database>,
  shapes: TableShape[],
  known: Set<string>,
  realmId: number,
): RowSink {
  return {
    realmId,
    isKnown: (uuid) => known.has(uuid),
    async add(table, columns, rows) {
      const shape = shapes.find(({ name }) => name === table)
      const unknown = columns.find((column) => !shape?.columns.includes(column))
      if (!shape || unknown) throw new Error(`There is no ${table}${unknown ? `.${unknown}` : ''} here.`)
      const own = sql.ref(table === 'realm' ? 'id' : 'realm_id')
      const list = sql.join(columns.map((column) => sql.ref(column)))
      await sql`
        INSERT INTO ${sql.table(table)} (${own}, ${list}) OVERRIDING SYSTEM VALUE SELECT ${realmId}, ${list}
        FROM json_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::json)`.execute(trx)
    },
  }
}

/** Throws unless the sequences are beyond the numbers of the rows. */
async function checkNumbers(trx: Transaction<Database>, realmId: number, { highest }: ImportedRealm) {
  for (const name in highest) {
    for (const column in highest[name]) {
      const { rows } = await sql<{ most: number | null }>`
        SELECT max(${sql.ref(column)}) AS most FROM ${sql.table(name)} WHERE realm_id = ${realmId}`.execute(
        trx,
      )
      if ((firstIn(rows).most ?? 0) <= (highest[name][column] ?? 0)) continue
      throw new Error(`The rows of ${name} have higher numbers than the export says.`)
    }
  }
}

/** Throws if the sequences, which all organizations share, would have less than half of their numbers left. */
async function checkRoom(db: Db, shapes: TableShape[], highest: HighestNumbers) {
  for (const { name, sequences } of shapes) {
    for (const { column, sequence } of sequences) {
      const { rows } = await sql<{ most: number }>`
        SELECT least(seqmax, ${Number.MAX_SAFE_INTEGER}) / 2 AS most FROM pg_sequence
        WHERE seqrelid = ${sequence}::regclass`.execute(db)
      if ((highest[name]?.[column] ?? 0) <= firstIn(rows).most) continue
      throw new Error(`The export is damaged: no organization has numbers as high as its ${name}.${column}.`)
    }
  }
}

/** Throws if an upload is a file of another organization. */
async function checkPaths(trx: Transaction<Database>, realmId: number) {
  const own = `^${realmId}/[^/.]+/[^/.]+/[^/]+$`
  const foreign = await trx
    .selectFrom('attachment')
    .where('realm_id', '=', realmId)
    .where(sql<boolean>`path !~ ${own}`)
    .select('path')
    .executeTakeFirst()
  if (foreign) throw new Error(`The export is damaged: ${foreign.path} is no upload of the organization.`)
}

/** Adds what is derived from the rows, and what every organization has. */
async function complete(trx: Transaction<Database>, realmId: number, lastMessageId: number) {
  const statements: RawBuilder<unknown>[] = [
    sql`INSERT INTO realm_head (realm_id, last_message_id) VALUES (${realmId}, ${lastMessageId})`,
    sql`INSERT INTO upload_store (realm_id) VALUES (${realmId}) ON CONFLICT DO NOTHING`,
    sql`UPDATE upload_store SET space_used = (SELECT coalesce(sum(size), 0) FROM attachment
      WHERE realm_id = ${realmId} AND removed_at IS NULL) WHERE realm_id = ${realmId}`,
    sql`INSERT INTO job (realm_id, kind, subject_id, due_at) VALUES (${realmId}, 'retention', 0, 0)
      ON CONFLICT DO NOTHING`,
    // Imported messages cause no notifications.
    sql`INSERT INTO missed_position (realm_id, message_id) VALUES (${realmId}, ${lastMessageId})`,
    sql`INSERT INTO push_position (realm_id, event_id)
      SELECT ${realmId}, 0 WHERE EXISTS (SELECT FROM push_device WHERE realm_id = ${realmId})`,
  ]
  for (const statement of statements) await statement.execute(trx)
}
