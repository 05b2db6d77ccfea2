import { randomInt } from 'node:crypto'
import { mainDatabase } from '../../lib/main-database.ts'
import { firstIn, must } from '../../lib/must.ts'
import { withClient } from './with-client.ts'

type Urls = ReadonlyMap<string, string>

/** Throws if two names lead to one database. */
export async function checkDiffer(urls: Urls): Promise<void> {
  if (urls.size === 1) return
  const key = randomInt(2 ** 47)
  // All sessions last until the last one has locked the key.
  const check = async ([next, ...others]: [name: string, url: string][]): Promise<void> => {
    if (!next) return
    const [name, url] = next
    await withClient(url, async (client) => {
      const query = 'SELECT pg_try_advisory_lock($1) AS "isFirst"'
      const { isFirst } = firstIn((await client.query<{ isFirst: boolean }>(query, [key])).rows)
      if (isFirst) return check(others)
      throw new Error(
        `The database ${name} is also named otherwise, in ROOKERY_DATABASES or by DATABASE_URL: each name must be of another database.`,
      )
    })
  }
  return check([...urls])
}

/**
 * Throws if organizations are in a database that the settings do not name, or if a database can be written for an
 * organization that the main database places elsewhere.
 */
export async function checkPlaces(urls: Urls): Promise<void> {
  const places = await placesIn(urls)
  const unknown = [...places.values()].find((name) => !urls.has(name))
  if (unknown !== undefined)
    throw new Error(`Organizations are in the database ${unknown}: name it in ROOKERY_DATABASES.`)
  if (urls.size === 1) return
  const found = await Promise.all([...urls].map(async ([name, url]) => ({ name, ids: await openIn(url) })))
  // An organization may be moved during this check.
  const after = await placesIn(urls)
  for (const { name, ids } of found) {
    const isThere = (id: number) => [places, after].some((said) => (said.get(id) ?? mainDatabase) === name)
    const wrong = ids.find((id) => !isThere(id))
    if (wrong === undefined) continue
    const said = after.get(wrong) ?? mainDatabase
    throw new Error(
      `Organization ${wrong} is in the database ${name}, but ${mainDatabase} says that it is in ${said}: the databases are not of one moment, or ROOKERY_DATABASES names them wrongly.`,
    )
  }
}

/** Returns the database of each organization, as the main database records it. */
async function placesIn(urls: Urls): Promise<Map<number, string>> {
  type Row = { realm_id: number; database: string }
  const main = must(urls.get(mainDatabase), 'main database')
  const { rows } = await withClient(main, (client) =>
    client.query<Row>('SELECT realm_id, database FROM realm_place'),
  )
  return new Map(rows.map((row) => [row.realm_id, row.database]))
}

/** The organizations that can be written in a database. */
async function openIn(url: string): Promise<number[]> {
  const query = 'SELECT realm_id FROM realm_head'
  const { rows } = await withClient(url, (client) => client.query<{ realm_id: number }>(query))
  return rows.map(({ realm_id }) => realm_id)
}
