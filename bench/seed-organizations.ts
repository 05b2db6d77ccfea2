import pg from 'pg'
import { type TableShape, tableShapes } from '../src/db/catalog.ts'
import { connect } from '../src/db/database.ts'
import type { Organization, Size } from './seed.ts'

/** A small organization, of which there can be many. */
export const smallSize: Size = {
  users: 4,
  channels: 3,
  subscriptionsPerUser: 1,
  smallChannel: 4,
  messages: 10,
  unread: 2,
  newcomers: 0,
  channelsOfReader: 2,
}

const publicHost = 'bench.test'
/** Of a server of such organizations. */
export const publicUrl = `http://${publicHost}`

/** Where a copy is found: they have the numbers after that of the original. */
export function hostOf(number: number): string {
  return `org${number}.${publicHost}`
}

/** What differs in the rows of a copy, as expressions of its number `n` and the row `t`. */
const differing: Record<string, string> = {
  'realm.id': 'n',
  'realm.subdomain': "'org' || n",
  'realm.name': "'Organization ' || n",
  // Its daily work has a time of its own.
  'job.due_at': 'extract(epoch FROM now())::bigint + n * 7919::bigint % 86400',
  'realm_head.epoch': 'gen_random_uuid()',
}

/** Not copied: what belongs to a server or to clients, and the audit log. */
const left = ['event_queue', 'audit_entry', 'realm_place', 'server_start', 'log_place', 'migration']

/**
 * Copies an organization, with statements for whole tables, until there are as many. The ids within are the same in all: each
 * key begins with the organization.
 */
export async function copyOrganization(url: string, { realmId }: Organization, count: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Neither foreign keys nor triggers need to look at each row: the original has passed them.
    await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'")
    const { rows } = await client.query<{ last: number }>('SELECT max(id) AS last FROM realm')
    const first = rows[0]!.last + 1
    for (const shape of await tablesOfOrganizations(url)) {
      await client.query(copyOf(shape), [realmId, first, count])
    }
    await client.query("SELECT setval(pg_get_serial_sequence('realm', 'id'), max(id)) FROM realm")
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

async function tablesOfOrganizations(url: string): Promise<TableShape[]> {
  const { read, close } = connect(url, 2)
  try {
    const shapes = await tableShapes(read)
    return shapes.filter(
      ({ name, columns }) => !left.includes(name) && (name === 'realm' || columns.includes('realm_id')),
    )
  } finally {
    await close()
  }
}

function copyOf({ name, columns }: TableShape): string {
  const realm = name === 'realm' ? 'id' : 'realm_id'
  const value = (column: string) =>
    column === 'realm_id' ? 'n' : (differing[`${name}.${column}`] ?? `t.${column}`)
  return `INSERT INTO ${name} (${columns.join()}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map(value).join()} FROM generate_series($2::integer, $3::integer) AS n, ${name} AS t
    WHERE t.${realm} = $1 ORDER BY n`
}
