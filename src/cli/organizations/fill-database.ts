import { allUrls } from '../../db/databases.ts'
import type { RealmRow } from '../../db/schema.ts'
import type { CommandConfig } from '../command.ts'
import { databaseToFill } from '../database/database.ts'
import { withClient } from '../database/with-client.ts'
import { remark } from '../output.ts'
import { takeName } from './realm.ts'

/** A database in which a command makes an organization. */
type Filling = {
  url: string
  /** The uuids of all organizations of the server. */
  known(): Promise<string[]>
  /** Reserves a name while the command runs. Throws an error of one sentence if an organization has it. */
  takeName(subdomain: string, advice?: string): Promise<void>
}

/** Does work in the existing database, or in a new one. */
export async function fillDatabase<T>(
  config: CommandConfig,
  work: (filling: Filling) => Promise<T>,
): Promise<T> {
  const database = await databaseToFill(config, remark)
  const { url } = database
  const there = () => organizationsIn(allUrls({ ...config, databaseUrl: url }))
  try {
    return await withClient(url, (client) =>
      work({
        url,
        known: async () => (await there()).map(({ uuid }) => uuid),
        takeName: (subdomain, advice) => {
          const find = async () => (await there()).find((realm) => realm.subdomain === subdomain)
          return takeName(client, subdomain, find, advice)
        },
      }),
    )
  } finally {
    await database.close()
  }
}

type There = Pick<RealmRow, 'name' | 'subdomain' | 'uuid'>

async function organizationsIn(urls: ReadonlyMap<string, string>): Promise<There[]> {
  const query = 'SELECT name, subdomain, uuid FROM realm'
  const found = [...urls.values()].map((url) => withClient(url, (client) => client.query<There>(query)))
  return (await Promise.all(found)).flatMap(({ rows }) => rows)
}
