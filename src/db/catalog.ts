import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Runs queries and returns their rows: a Reader, a connection or a transaction. */
export type RowSource = { rows<T>(query: RawBuilder<T>): Promise<T[]> }

/** Returns the row source of a connection or a transaction. */
export function rowsBy(db: Db): RowSource {
  return { rows: async (query) => (await query.execute(db)).rows }
}

/** A table of the database, as its catalog describes it. */
export type TableShape = {
  name: string
  /** In order, without generated columns. */
  columns: string[]
  /** The columns of the primary key, in order. */
  key: string[]
  /** Columns that take numbers from a sequence, with its name. */
  sequences: { column: string; sequence: string }[]
}

/** All tables of the current schema, each after those that its foreign keys refer to. */
export async function tableShapes(read: RowSource): Promise<TableShape[]> {
  const shapes = await read.rows(sql<TableShape>`
    SELECT c.relname AS name,
      array(SELECT attname::text FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
      array(SELECT attname::text FROM pg_index x, unnest(x.indkey) WITH ORDINALITY AS k(number, place), pg_attribute a
        WHERE x.indrelid = c.oid AND x.indisprimary AND a.attrelid = c.oid AND a.attnum = k.number ORDER BY place) AS key,
      ${sequencesQuery} AS sequences
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY c.relname`)
  const references = await read.rows(sql<{ from: string; to: string }>`
    SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid <> confrelid`)
  return afterReferences(shapes, references)
}

/** The sequence of an identity column depends on the column; the default of any other column depends on its sequence. */
const sequencesQuery = sql`(
  SELECT coalesce(json_agg(json_build_object('column', a.attname, 'sequence', s.oid::regclass::text)), '[]')
  FROM pg_class s JOIN pg_depend d
    ON (d.objid = s.oid AND d.refobjid = c.oid AND d.deptype IN ('a', 'i'))
    OR (d.refobjid = s.oid AND d.classid = 'pg_attrdef'::regclass
      AND d.objid IN (SELECT oid FROM pg_attrdef WHERE adrelid = c.oid))
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = CASE d.classid
    WHEN 'pg_attrdef'::regclass THEN (SELECT adnum FROM pg_attrdef WHERE oid = d.objid) ELSE d.refobjsubid END
  WHERE s.relkind = 'S')`

function afterReferences(shapes: TableShape[], references: { from: string; to: string }[]): TableShape[] {
  const ordered = new Set<TableShape>()
  const add = (shape: TableShape) => {
    if (ordered.has(shape)) return
    const before = references.filter(({ from }) => from === shape.name).map(({ to }) => to)
    for (const other of shapes) if (before.includes(other.name)) add(other)
    ordered.add(shape)
  }
  for (const shape of shapes) add(shape)
  return [...ordered]
}
