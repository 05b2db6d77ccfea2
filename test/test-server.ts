import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll } from 'vitest'
import type { Adapters } from '../src/adapters/adapters.ts'
import { localFiles } from '../src/adapters/files/local.ts'
import { safeFetch } from '../src/adapters/safe-fetch.ts'
import { type App, buildApp, type Monitoring } from '../src/app.ts'
import { listen } from '../src/http/connection/listen.ts'
import type { AdmissionLimits } from '../src/http/overload/admission.ts'
import { Secrets } from '../src/lib/secrets/sealed.ts'
import type { Siblings } from '../src/lib/siblings.ts'
import type { Site } from '../src/lib/site.ts'
import type { Tracer } from '../src/lib/tracer.ts'
import { closeConnections } from './http.ts'
import { newOrganization, type Organization } from './organization.ts'
import { newDatabase } from './runner/database.ts'

type TestServerOptions = {
  rateLimits?: boolean
  /** How many requests a node works on; by default as many as a real one. */
  admissionLimits?: AdmissionLimits
  /** How many connections to the database a node opens at most. */
  databaseConnections?: number
  /** Whether organizations may have web-public channels; by default they may. */
  webPublicChannels?: boolean
  /** Whether organizations may show previews of linked pages; by default they may. */
  linkPreviews?: boolean
  /** Whether there are embedded bots; by default there are. */
  embeddedBots?: boolean
  /** How many MiB the uploads of an organization may take; by default there is no limit. */
  uploadQuotaMib?: number
  /** How long event queues live without a poll, in seconds. */
  queueIdleSeconds?: number
  /** Whether they stand behind a proxy; by default they do not. */
  trustProxy?: boolean
  /** The NATS through which nodes notify each other; by default they use PostgreSQL. */
  natsUrl?: string
  /** Whether time passes only by `pass`, so that a test may go exactly up to a limit. */
  standsStill?: boolean
  /** The secret with which nodes seal texts; by default the same for all. */
  secret?: string
  /** Receives the nodes' log, line by line; by default nothing is logged. */
  log?: (line: string) => void
  /** The nodes' external services, apart from a new directory for files. */
  adapters?: Partial<Adapters>
  /** Where nodes listen; by default each on a port of its own. */
  port?: number
  /** Counts for monitors; by default nothing is counted. */
  monitoring?: Monitoring
  /** Traces the work of nodes; by default nothing is traced. */
  tracer?: Tracer
  /** The public host name. */
  host?: string
  /** The other workers, for one of several. */
  siblings?: Siblings
  /** The domain of the addresses whose mail the server takes; by default it takes none. */
  mailInDomain?: string
  /** The databases that have organizations besides the main one, by name. */
  databases?: ReadonlyMap<string, string>
  /** A standby of the main one, to read from, and of the others. */
  databaseReplicaUrl?: string
  databaseReplicas?: ReadonlyMap<string, string>
}

/** One node: an app that listens. */
export type Node = { app: App; port: number; host: string; site: Site; close(): Promise<void> }

export type TestServer = {
  /** The first node. Available from the first test on, like everything else here. */
  readonly node: Node
  readonly databaseUrl: string
  /** The external services of its nodes. */
  readonly adapters: Adapters
  /** A new organization on its own host name. Tests do not share them. */
  organization(): Promise<Organization>
  /** Another node on the same database. */
  anotherNode(): Promise<Node>
  /** Lets time pass on all nodes. */
  pass(seconds: number): void
  /** Runs the due work of all nodes, and resolves when nothing is left. */
  workOff(): Promise<void>
}

const onlyPublic = { fetch: safeFetch(), webhookFetch: safeFetch() }

/** The host name of the server in tests. */
export const publicHost = 'chat.test'

/** One that browsers trust as they trust https, so that what they keep for secure pages works. */
export const secureHost = 'chat.localhost'

/**
 * Sets up the whole server for a test file, on a database of its own, reached over HTTP. Call it once, outside of the
 * tests: it starts before the first and ends after the last.
 */
export function testServer(options: TestServerOptions = {}): TestServer {
  const nodes: Node[] = []
  let database: Awaited<ReturnType<typeof newDatabase>>
  const directory = mkdtempSync(join(tmpdir(), 'rookery-files-'))
  const adapters = { ...onlyPublic, files: localFiles(directory), ...options.adapters }
  const begun = now()
  let skipped = 0
  let organizations = 0
  const clock = () => (options.standsStill ? begun : now()) + skipped
  const start = async () => {
    const node = await startNode(database.url, { ...options, adapters }, clock)
    nodes.push(node)
    return node
  }
  beforeAll(async () => {
    database = await newDatabase()
    await start()
  })
  afterAll(async () => {
    closeConnections()
    for (const node of nodes) await node.close()
    await database?.drop()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    get node() {
      return nodes[0]!
    },
    get databaseUrl() {
      return database.url
    },
    adapters,
    organization: () => newOrganization(nodes[0]!, `org${++organizations}`),
    anotherNode: start,
    pass(seconds) {
      skipped += seconds
    },
    async workOff() {
      for (let isAny = true; isAny; ) {
        isAny = false
        for (const { app } of nodes) isAny = (await app.workOff()) || isAny
      }
    },
  }
}

/** By host name: the server that the test files of this process share, and how many organizations it has. */
const shared = new Map<string, Promise<{ node: Node; organizations: number }>>()

/**
 * A server that many test files share, which saves them starting one: for tests that see no more of it than their own
 * organizations, and let no time pass. It ends with the process.
 */
export function sharedServer({ host = publicHost } = {}): Pick<TestServer, 'organization'> {
  afterAll(closeConnections)
  const start = async () => {
    const { url } = await newDatabase()
    const files = localFiles(mkdtempSync(join(tmpdir(), 'rookery-files-')))
    return { node: await startNode(url, { host, adapters: { files } }), organizations: 0 }
  }
  return {
    async organization() {
      const starting = shared.get(host) ?? start()
      shared.set(host, starting)
      const server = await starting
      server.organizations += 1
      return newOrganization(server.node, `org${server.organizations}`)
    },
  }
}

/** Starts a node on a migrated database, for tests that need one outside a test server. */
export async function startNode(
  databaseUrl: string,
  options: TestServerOptions = {},
  clock = now,
): Promise<Node> {
  const { host = publicHost } = options
  const site: Site = {
    publicUrl: new URL(`http://${host}`),
    version: '0.1.0',
    startedAt: clock(),
    webPublicChannels: options.webPublicChannels ?? true,
    linkPreviews: options.linkPreviews ?? true,
    embeddedBots: options.embeddedBots ?? true,
    mailInDomain: options.mailInDomain,
    uploadQuotaMib: options.uploadQuotaMib,
    secrets: new Secrets(options.secret ?? 'the secret of all nodes of a test'),
    siblings: options.siblings,
    clock,
  }
  const app = buildApp({
    databaseUrl,
    databases: options.databases,
    natsUrl: options.natsUrl,
    databaseConnections: options.databaseConnections ?? 6,
    databaseReplicaUrl: options.databaseReplicaUrl,
    databaseReplicas: options.databaseReplicas,
    site,
    // TEST_LOG=error shows the server's internal errors.
    adapters: { ...onlyPublic, files: localFiles(join(tmpdir(), 'rookery-files')), ...options.adapters },
    logger: options.log
      ? pino({ level: 'debug' }, { write: options.log })
      : pino({ level: process.env.TEST_LOG ?? 'silent' }),
    rateLimits: options.rateLimits ?? false,
    admissionLimits: options.admissionLimits,
    trustProxy: options.trustProxy ?? false,
    queueIdleSeconds: options.queueIdleSeconds ?? 600,
    logDays: 7,
    monitoring: options.monitoring,
    tracer: options.tracer,
  })
  const port = await listen(app.http, { host: '127.0.0.1', port: options.port ?? 0 })
  return { app, port, host, site, close: () => app.close() }
}

function now() {
  return Math.floor(Date.now() / 1000)
}
