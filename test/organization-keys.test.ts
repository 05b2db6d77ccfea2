import { describe, expect, test } from 'vitest'
import { onTemplate } from './runner/database.ts'

// So that each query finds the rows of its organization together, and organizations can be spread over several databases.
describe('the database', () => {
  // These are not of an organization; of each, why.
  const exempt: Record<string, string> = {
    realm:
      'It is the list of organizations: its key is what realm_id means, and names are unique on a server.',
    migration: 'It says what the database has been through.',
    log_place: 'It says which database this is.',
    server_start: 'It says which servers use the database.',
  }

  test('every key and index begins with the organization', async () => {
    const rows = await onTemplate<{ name: string; table: string; first: string }>(`
      SELECT i.relname AS name, t.relname AS table,
        (SELECT attname FROM pg_attribute WHERE attrelid = t.oid AND attnum = x.indkey[0]) AS first
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
        JOIN pg_am m ON m.oid = i.relam
      -- An index of words has no order of columns, and holds nothing apart.
      WHERE t.relnamespace = 'public'::regnamespace AND (m.amname = 'btree' OR x.indisunique OR x.indisexclusion)`)
    const others = rows.filter(({ first }) => first !== 'realm_id')
    expect(others.filter(({ table }) => !(table in exempt))).toEqual([])
    expect([...new Set(others.map(({ table }) => table))].sort()).toEqual(Object.keys(exempt).sort())
  })

  test('every table of organizations has the organization, and no row refers to one of another', async () => {
    const lacking = await onTemplate<{ table: string }>(`
      SELECT relname AS table FROM pg_class t WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND NOT EXISTS (SELECT FROM pg_attribute
          WHERE attrelid = t.oid AND attname = 'realm_id' AND attnotnull AND NOT attisdropped)`)
    expect(lacking.map(({ table }) => table).sort()).toEqual(Object.keys(exempt).sort())
    const references = await onTemplate<{ name: string; from: string; to: string; table: string }>(`
      SELECT conname AS name, confrelid::regclass::text AS table,
        (SELECT attname FROM pg_attribute WHERE attrelid = conrelid AND attnum = conkey[1]) AS from,
        (SELECT attname FROM pg_attribute WHERE attrelid = confrelid AND attnum = confkey[1]) AS to
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`)
    const wrong = references.filter(
      ({ from, to, table }) => from !== 'realm_id' || to !== (table === 'realm' ? 'id' : 'realm_id'),
    )
    expect(wrong).toEqual([])
  })
})
