import type pg from 'pg'
import { migrationGap } from '../../db/migrate.ts'
import { sharesSessions } from '../../db/sessions.ts'
import { firstIn } from '../../lib/must.ts'

/** Why the server cannot work with a database, and what to do about it: two sentences, the first without capital and dot. */
export type DatabaseFault = { what: string; advice: string }

const oldestVersion = 15

type Server = {
  version: string
  encoding: string
  /** The locale that decides about upper and lower case. */
  locale: string
  lowers: boolean
  /** Whether A to Z have the lower-case letters that they have in English. Those of Turkish and Azerbaijani differ. */
  lowersLatin: boolean
}

/** Reads the facts about a database that decide whether the server can work with it. */
export async function serverFacts(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Server>(`
    SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
      lower('I') = 'i' AS "lowersLatin",
      (SELECT coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', datctype)
        FROM pg_database d WHERE datname = current_database()) AS locale`)
  const { encoding } = firstIn(rows)
  // These letters exist in no other encoding.
  const lowers = encoding === 'UTF8' && (await client.query(lowersQuery)).rows[0].lowers
  return { ...firstIn(rows), lowers }
}

const lowersQuery = `SELECT lower(U&'\\00C4\\0416') = U&'\\00E4\\0436' AS lowers`

export function versionFault({ version }: Server): DatabaseFault | undefined {
  if (Number.parseInt(version, 10) >= oldestVersion) return undefined
  return {
    what: `the database runs PostgreSQL ${version}`,
    advice: `Move to PostgreSQL ${oldestVersion} or newer.`,
  }
}

export function encodingFault({ encoding }: Server): DatabaseFault | undefined {
  if (encoding === 'UTF8') return undefined
  const advice =
    "Make it anew: CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0, and move the data with pg_dump."
  return { what: `the database is in ${encoding}, not in UTF8`, advice }
}

export function lettersFault({ lowers, lowersLatin, locale }: Server): DatabaseFault | undefined {
  const anew = (options: string) =>
    `Make it anew: CREATE DATABASE … ${options} TEMPLATE template0, and move the data with pg_dump.`
  if (!lowers) {
    return {
      what: `the database knows only the letters A to Z (its locale is ${locale}), and finds others only as they are written`,
      advice: anew("LOCALE 'C.UTF-8'"),
    }
  }
  if (lowersLatin) return undefined
  return {
    what: `the database has ı as the lower-case letter of I (its locale is ${locale}), and finds topics and addresses with an I only as they are written`,
    advice: anew("LOCALE_PROVIDER libc LOCALE 'C.UTF-8'"),
  }
}

type Rights = {
  role: string
  database: string
  creates: boolean
  /** Tables that the role may not use, and who owns them. */
  closed: { name: string; owner: string }[]
}

const rightsQuery = `
  SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
    has_schema_privilege('public', 'USAGE') AND has_schema_privilege('public', 'CREATE') AS creates,
    (SELECT coalesce(json_agg(json_build_object('name', relname, 'owner', pg_get_userbyid(relowner)) ORDER BY relname), '[]')
      FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT pg_has_role(relowner, 'USAGE')
        AND NOT (SELECT bool_and(has_table_privilege(c.oid, right_to))
          FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS right_to)) AS closed`

/** Checks whether the role may use the existing tables, and create the missing ones. */
export async function rightsFault(client: pg.Client): Promise<DatabaseFault | undefined> {
  const { role, database, creates, closed } = firstIn((await client.query<Rights>(rightsQuery)).rows)
  const [first] = closed
  if (first) {
    return {
      what: `${closed.length} tables in the database ${database} belong to ${first.owner}, and the role ${role} may not use them`,
      advice: `Restore them as ${role} (pg_restore --no-owner), or as a superuser: ALTER TABLE ${first.name} OWNER TO ${role}; and so on for each.`,
    }
  }
  if (creates || (await migrationGap(client)).missing.length === 0) return undefined
  return {
    what: `the role ${role} may not make tables in the database ${database}`,
    advice: `As a superuser, in that database: GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
  }
}

/**
 * Returns a fault if a pooler shares out sessions: then notifications are lost, and prepared statements are not found.
 */
export async function poolerFault(url: string): Promise<DatabaseFault | undefined> {
  if (!(await sharesSessions(url))) return undefined
  return {
    what: 'DATABASE_URL leads to a connection pooler that gives each transaction another session',
    advice:
      'Let it lead to PostgreSQL itself, or to a pool in session mode (in PgBouncer: pool_mode = session).',
  }
}

/** Returns the fault as text for the terminal. */
export function sentenceOf({ what, advice }: DatabaseFault): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}. ${advice}`
}
