import pg from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { unpackChromium } from '../browser/chromium-program.ts'
import { buildWebClient } from '../browser/web-client.ts'
import { buildProgram } from '../processes/program.ts'
import { newRunDirectory } from './run-directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server to make databases on. */
    databaseServer: string
    /** The migrated database that tests clone. It must have no connections while that happens. */
    templateDatabase: string
    /** The path of the server as a program, to be run by Node. */
    program: string
  }
}

/**
 * Runs once before all tests: starts a PostgreSQL, or uses the one at TEST_DATABASE_URL, with a migrated template, and
 * builds the web client, and the server as a program. Returns the cleanup.
 */
export default async function setUp(project: TestProject) {
  await unpackChromium()
  const directory = await newRunDirectory()
  const [{ server, template }, program] = await Promise.all([
    serverWithTemplate(directory.path),
    buildProgram(),
    buildWebClient(),
  ])
  project.onTestsRerun(program.make)
  project.provide('databaseServer', server.url)
  project.provide('templateDatabase', template)
  project.provide('program', program.path)
  return async () => {
    await program.remove()
    await dropDatabases(server.url, await databasesLike(server.url, template))
    await server.stop()
    await directory.remove()
  }
}

export type TestDatabase = {
  url: string
  name: string
  /** Makes this database a copy of another one, which must have no connections. */
  become(other: { name: string }): Promise<void>
  drop(): Promise<void>
}

/** A migrated, empty database. Takes a few hundredths of a second. */
export async function newDatabase(): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const template = inject('templateDatabase')
  const name = `${template}_${process.pid}_${++made}`
  await onServer(server, `CREATE DATABASE ${name} ${copyOf(template)}`)
  return {
    url: databaseUrl(server, name),
    name,
    async become(other) {
      await dropDatabases(server, [name])
      await onServer(server, `CREATE DATABASE ${name} ${copyOf(other.name)}`)
    },
    drop: () => dropDatabases(server, [name]),
  }
}

let made = 0

/** The template itself, to read its schema. */
export function templateUrl() {
  return databaseUrl(inject('databaseServer'), inject('templateDatabase'))
}

/** Asks the template about its schema. */
export function onTemplate<Row>(sql: string): Promise<Row[]> {
  return onServer<Row>(templateUrl(), sql)
}

/** Test data need not outlive the test. */
const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  // Each worker has the nodes and processes of its test file.
  max_connections: '300',
}

async function serverWithTemplate(dataDir: string) {
  const server = await testServer(dataDir)
  const template = `rookery_test_${Date.now().toString(36)}_${process.pid}`
  await dropDatabases(server.url, await databasesBeforeYesterday(server.url))
  await onServer(server.url, `CREATE DATABASE ${template}`)
  await migrate(databaseUrl(server.url, template))
  return { server, template }
}

async function testServer(dataDir: string) {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  return startEmbeddedPostgres({ dataDir, log: () => {}, settings: testSettings })
}

/**
 * PostgreSQL copies it as files, which takes a quarter of the time: it logs none of them, but first writes all changes
 * of before.
 */
function copyOf(template: string) {
  return `TEMPLATE ${template} STRATEGY FILE_COPY`
}

function databaseUrl(server: string, name: string) {
  return server.replace(/^(\w+:\/\/[^/]*)\/[^?]*/, `$1/${name}`)
}

async function databasesLike(server: string, prefix: string): Promise<string[]> {
  const names = await onServer<{ datname: string }>(server, 'SELECT datname FROM pg_database')
  return names.map((row) => row.datname).filter((name) => name.startsWith(prefix))
}

/** Databases of test runs that were killed and could not clean up. */
async function databasesBeforeYesterday(server: string): Promise<string[]> {
  const names = await databasesLike(server, 'rookery_test_')
  return names.filter((name) => Number.parseInt(name.split('_')[2]!, 36) < Date.now() - 86_400_000)
}

async function dropDatabases(server: string, names: string[]) {
  for (const name of names) await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

async function onServer<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
