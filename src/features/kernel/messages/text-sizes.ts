import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Returns how many bytes the texts of these messages take, with those of all earlier versions; 0 if one is deleted. */
export async function textSizes(read: Reader, realm: RealmState, ids: number[]): Promise<number[]> {
  const rows = await read.rows<{ id: number; bytes: number }>(sql`
    SELECT id, octet_length(content) + octet_length(rendered_content)
      + coalesce(octet_length(edit_history::text), 0) AS bytes
    FROM message WHERE realm_id = ${realm.id} AND id = ANY(${ids}::bigint[])`)
  const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  return ids.map((id) => sizes.get(id) ?? 0)
}
