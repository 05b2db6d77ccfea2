// Describes the parts of a database, one line for each, whatever the order in which migrations have made them.
import pg from 'pg'

const parts = `
  SELECT format('column %s.%s %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN ' not null' END, ' default ' || pg_get_expr(d.adbin, d.adrelid),
    CASE WHEN a.attgenerated <> '' THEN ' generated' WHEN a.attidentity <> '' THEN ' identity' END) AS part
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index
  WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
  UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND prolang <> (SELECT oid FROM pg_language WHERE lanname = 'c')
  UNION ALL SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal
  UNION ALL SELECT format('sequence %s %s from %s', sequencename, data_type, start_value) FROM pg_sequences WHERE schemaname = 'public'
  UNION ALL SELECT format('type %s %s', t.typname, array_agg(e.enumlabel ORDER BY e.enumsortorder))
  FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid GROUP BY t.typname
  UNION ALL SELECT format('options of %s: %s', relname, reloptions) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
  UNION ALL SELECT 'extension ' || extname FROM pg_extension
  UNION ALL SELECT 'migration ' || name FROM migration`

/** Returns the parts of a database. */
export async function shapeOf(url) {
  const { rows } = await withDatabase(url, (client) => client.query(parts))
  return new Set(rows.map(({ part }) => part))
}

/** Returns a sentence for each part that only one of the two has. */
export function differences(here, blank) {
  return [
    ...[...here].filter((part) => !blank.has(part)).map((part) => `A new database does not have: ${part}`),
    ...[...blank].filter((part) => !here.has(part)).map((part) => `The upgraded database lacks: ${part}`),
  ]
}

export async function withDatabase(url, work) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
