import type { Databases } from '../src/db/databases.ts'
import type { LogOptions } from '../src/log/log-options.ts'
import { RealmDatabase } from '../src/log/realm-database.ts'
import { RealmLog } from '../src/log/realm-log.ts'
import { RealmPlaces } from '../src/log/realm-places.ts'

/** Opens an organization's log as another node has it. */
export async function anotherLog(databases: Databases, id: number, options: Partial<LogOptions> = {}) {
  const database = await RealmDatabase.find(new RealmPlaces(databases), id)
  return RealmLog.open(database, id, { clock: () => 0, consequences: [], ...options })
}
