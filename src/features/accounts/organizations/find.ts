import type { Reader } from '../../../db/database.ts'
import type { RealmRow } from '../../../db/schema.ts'

export type FoundOrganization = Pick<RealmRow, 'id' | 'subdomain' | 'name' | 'icon_file' | 'icon_version'>

/** Returns the organizations of these names, in the same order, without those that are not on this server. */
export async function findOrganizations(read: Reader, names: string[]): Promise<FoundOrganization[]> {
  if (names.length === 0) return []
  const rows = await read
    .selectFrom('realm')
    .where('subdomain', 'in', names)
    .select(['id', 'subdomain', 'name', 'icon_file', 'icon_version'])
    .execute()
  return names.flatMap((name) => rows.find(({ subdomain }) => subdomain === name) ?? [])
}
