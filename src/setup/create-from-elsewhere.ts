import type { FileStore } from '../adapters/files/file-store.ts'
import { removeAll } from '../adapters/files/remove-all.ts'
import { rowsBy, tableShapes } from '../db/catalog.ts'
import { withLongWriter } from '../db/long-writer.ts'
import type { Site } from '../lib/site.ts'
import type { Actor } from '../log/audit/actor.ts'
import type { Change } from '../log/change.ts'
import { createRealmIn } from '../log/lifecycle/create-realm.ts'
import { type HighestNumbers, reserveNumbers } from '../log/lifecycle/sequences.ts'
import { addFoundation } from './create-organization.ts'

/** The new organization of an import, and what the import needs of the server. */
export type ImportTarget = {
  name: string
  subdomain: string
  /** The address of the organization. */
  url: string
  site: Site
  actor: Actor
  files: FileStore
}

type NewOrganization = {
  realm: { name: string; subdomain: string; created_at: number }
  actor: Actor
  files: FileStore
  /** By table and column: the highest number that rows will keep from elsewhere. */
  highest?: HighestNumbers
  /** Receives a line if this has to wait. */
  report?: (line: string) => void
}

/** Makes an organization in the main database of what comes from another server: all of it, or nothing. */
export async function createFromElsewhere<T>(
  databaseUrl: string,
  { realm, actor, files, highest, report }: NewOrganization,
  fill: (change: Change) => Promise<T>,
): Promise<T> {
  const furnish = async (change: Change) => {
    try {
      await addFoundation(change)
      return await fill(change)
    } catch (error) {
      await removeAll(files, `${change.state.id}/`)
      throw error
    }
  }
  const made = await withLongWriter(databaseUrl, async (db) => {
    if (highest) await reserveNumbers(db, await tableShapes(rowsBy(db)), highest, report)
    return createRealmIn(db, realm, furnish, actor)
  })
  return made.result
}
