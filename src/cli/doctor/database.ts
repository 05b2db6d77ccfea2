import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { migrationGap } from '../../db/migrate.ts'
import { tablePlans } from '../../features/clients/exports/tables.ts'
import { secondsAhead, systemMilliseconds } from '../../lib/clock.ts'
import { firstIn } from '../../lib/must.ts'
import {
  type DatabaseFault,
  encodingFault,
  lettersFault,
  poolerFault,
  rightsFault,
  serverFacts,
  versionFault,
} from '../database/database-faults.ts'
import type { Finding } from './checks.ts'
import { checkNewest } from './clock.ts'
import { checkJobs } from './jobs.ts'
import { checkLocks } from './locks.ts'
import { checkSealed } from './secret.ts'

/** The database's facts at one moment. */
type Facts = {
  fsync: string
  full_page_writes: string
  is_read_only: boolean
  synchronous_commit: string
  connections: number
  now: number
}

const factsQuery = `
  SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
    current_setting('transaction_read_only') = 'on' AS is_read_only,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
    extract(epoch FROM clock_timestamp())::float8 AS now`

/** Looks at the database itself: its version, how it stores, what is in it, its clock. */
export async function checkDatabase(client: pg.Client, config: Config): Promise<Finding[]> {
  const where = config.databaseUrl === undefined ? 'the bundled one' : 'at DATABASE_URL'
  return examine(client, config, {
    where,
    url: config.databaseUrl,
    content: () => checkContent(client, config),
  })
}

/** Looks at a database besides the main one. */
export async function checkOther(client: pg.Client, config: Config, name: string, url: string) {
  const findings = await examine(client, config, {
    where: 'at its URL',
    url,
    content: () => checkMigrations(client),
  })
  return findings.map((finding): Finding => ({ ...finding, what: `database ${name}: ${finding.what}` }))
}

type Examined = { where: string; url: string | undefined; content(): Promise<Finding[]> }

async function examine(
  client: pg.Client,
  config: Config,
  { where, url, content }: Examined,
): Promise<Finding[]> {
  const server = await serverFacts(client)
  const encoding = encodingFault(server)
  if (encoding) return [{ level: 'FAIL', ...encoding }]
  const rights = await rightsFault(client)
  const before = systemMilliseconds()
  const facts = firstIn((await client.query<Facts>(factsQuery)).rows)
  const skew = Math.abs(secondsAhead(facts.now, before))
  return [
    findingOf(`PostgreSQL ${server.version}, ${where}`, versionFault(server)),
    findingOf('the database is in UTF8 and knows the letters of all languages', lettersFault(server)),
    findingOf('the role in the database may do what it must', rights),
    ...(await checkPooler(url)),
    checkDurability(facts),
    ...checkWrites(facts),
    ...(await checkLocks(client)),
    checkConnections(facts, config),
    checkClock(skew),
    ...(rights ? [] : await content()),
  ]
}

/** Returns a finding for a check, with its fault if there is one. */
function findingOf(what: string, fault: DatabaseFault | undefined): Finding {
  return fault ? { level: 'FAIL', ...fault } : { level: 'ok', what }
}

async function checkPooler(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) return []
  return [findingOf('no pooler shares out the sessions of the database', await poolerFault(url))]
}

function checkDurability(facts: Facts): Finding {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
  const off = names.filter((name) => facts[name] === 'off')
  if (off.length === 0) return { level: 'ok', what: 'writes are on disk before they are acknowledged' }
  const advice = `Set ${off.map((name) => `${name} = on`).join(' and ')} in postgresql.conf.`
  return { level: 'FAIL', what: `messages that were acknowledged can be lost: ${off.join(', ')} off`, advice }
}

function checkWrites({ is_read_only }: Facts): Finding[] {
  if (!is_read_only) return []
  const what = 'the database takes no changes: it is a standby, or default_transaction_read_only is on'
  return [{ level: 'FAIL', what, advice: 'Let DATABASE_URL lead to the primary.' }]
}

/** The connections of the server's notifier, of a primary of workers, and of a command beside them. */
const otherConnections = 9

function checkConnections({ connections }: Facts, { databaseConnections, workers }: Config): Finding {
  const needed = databaseConnections * workers
  const what = `up to ${needed} connections for the server, of ${connections} that the database takes`
  if (needed + otherConnections <= connections) return { level: 'ok', what }
  return { level: 'warn', what, advice: 'Lower ROOKERY_DATABASE_CONNECTIONS, or raise max_connections.' }
}

/** `skew` in seconds. */
function checkClock(skew: number): Finding {
  if (skew < 1) return { level: 'ok', what: 'the clocks of this machine and of the database agree' }
  const what = `the clocks of this machine and of the database are ${skew.toFixed(1)} seconds apart`
  return { level: skew < 30 ? 'warn' : 'FAIL', what, advice: 'Let both follow the same time servers (NTP).' }
}

async function checkMigrations(client: pg.Client): Promise<Finding[]> {
  const { missing, unknown } = await migrationGap(client)
  if (unknown.length > 0) {
    const what = `the database is newer than this version, by ${unknown.join(', ')}`
    return [{ level: 'FAIL', what, advice: 'Update Rookery, or restore an older backup.' }]
  }
  if (missing.length > 0) {
    const what = `the database lacks ${missing.join(', ')}`
    return [{ level: 'warn', what, advice: 'The next start of the server applies them.' }]
  }
  const lost = await lostTables(client)
  if (lost.length > 0) {
    const what = `the database lacks tables that it had: ${lost.join(', ')}`
    return [{ level: 'FAIL', what, advice: 'Restore a backup: it was restored in part, or changed by hand.' }]
  }
  return [{ level: 'ok', what: 'the database is up to date' }]
}

async function checkContent(client: pg.Client, config: Config): Promise<Finding[]> {
  const findings = await checkMigrations(client)
  const [current] = findings
  if (current?.level !== 'ok') return findings
  const { rows } = await client.query<{ name: string }>('SELECT name FROM realm ORDER BY id')
  if (rows.length === 0) {
    return [
      current,
      { level: 'warn', what: 'no organization yet', advice: 'The first start of the server makes one.' },
    ]
  }
  return [
    current,
    {
      level: 'ok',
      what: `${rows.length === 1 ? 'one organization' : `${rows.length} organizations`}: ${rows
        .map(({ name }) => name)
        .slice(0, 10)
        .join(', ')}`,
    },
    ...(await checkNewest(client)),
    await checkMails(client, config),
    ...(await checkJobs(client, config)),
    await checkSealed(client, config),
  ]
}

/** Returns the tables that are not there, though all migrations are applied. */
async function lostTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('public.' || quote_ident(name)) IS NULL ORDER BY name`,
    [Object.keys(tablePlans)],
  )
  return rows.map(({ name }) => name)
}

const mailsQuery = `
  SELECT count(*) FILTER (WHERE state = 'failed')::int AS failed,
    count(*) FILTER (WHERE state = 'uncertain')::int AS uncertain,
    count(*) FILTER (WHERE state = 'waiting' AND created_at <= extract(epoch FROM now()) - $1)::int AS waiting
  FROM mail WHERE created_at > extract(epoch FROM now()) - 604800`

/** Checks for undelivered mails of the last week: with a mail server, those that wait for over an hour. */
async function checkMails(client: pg.Client, { smtpUrl }: Config): Promise<Finding> {
  const patience = smtpUrl ? 3600 : 0
  const { rows } = await client.query<{ failed: number; uncertain: number; waiting: number }>(mailsQuery, [
    patience,
  ])
  const { failed, uncertain, waiting } = firstIn(rows)
  if (failed + uncertain + waiting === 0) {
    return { level: 'ok', what: smtpUrl ? 'no mail is stuck' : 'no mail waits for a mail server' }
  }
  const since = smtpUrl ? ' for over an hour' : ''
  const what = `mails of the last week: ${failed} failed, ${uncertain} uncertain, ${waiting} waiting${since}`
  const advice = smtpUrl
    ? 'rookery mail list tells why.'
    : 'Set ROOKERY_SMTP_URL; until then, rookery mail shows them.'
  return { level: 'warn', what, advice }
}
