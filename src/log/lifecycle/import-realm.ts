import { type RawBuilder, sql, type Transaction } from 'kysely'
import { rowsBy, type TableShape, tableShapes } from '../../db/catalog.ts'
import { withLongWriter } from '../../db/long-writer.ts'
import type { Database } from '../../db/schema.ts'
import { firstIn } from '../../lib/must.ts'
import type { Actor } from '../audit/actor.ts'
import { noteInAuditLog } from '../audit/note.ts'
import { importOlder } from './import-older.ts'
import { type HighestNumbers, reserveNumbers } from './sequences.ts'

/** The description of an organization before its rows arrive. */
type ImportedRealm = {
  /** The organization keeps this id if it is free here. */
  id: number
  lastMessageId: number
  /** The migrations of the version that its rows are from, if that is an older one. */
  older?: string[] | undefined
  highest: HighestNumbers
}

/** The command that imports. `knownElsewhere`: the uuids of the organizations in other databases. `report` receives lines about waits. */
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
    const shapes = await tableShapes(rowsBy(db))
    const highest = { ...realm.highest, realm: { id: realm.id } }
    await reserveNumbers(db, shapes, highest, report)
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
