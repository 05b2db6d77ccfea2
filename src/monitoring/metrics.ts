import { statfs } from 'node:fs/promises'
import type * as Prometheus from 'prom-client'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { ignore } from '../lib/guard.ts'
import type { Excess, Observer } from '../lib/observer.ts'
import { productVersion } from '../lib/version.ts'
import type { Realms } from '../log/realms.ts'
import type { OpenQueues } from '../queues/realm-queues.ts'
import { type DatabaseFigures, readFigures, sumOfFigures } from './database-figures.ts'
import { createInstruments, type Instruments } from './instruments.ts'
import { lastBackup } from './last-backup.ts'

/** The sources of the numbers that are read when a monitor asks. Those of a node are absent while it starts. */
type Sources = {
  dataDirectory: string | undefined
  /** The results of the checks of /health/ready, as far as there are any. */
  checks(): Promise<Record<string, 'ok' | 'failed'>>
  httpConnections(): Promise<number>
  node(): NodeSources | undefined
}

/** A node, as far as monitoring reads it. */
type NodeSources = {
  realms: Pick<Realms, 'databases' | 'secondsBehind' | 'progress'>
  queues: { readonly open: OpenQueues }
  /** Requests that this node works on, and how many of them wait for their turn. */
  admission: { readonly use: { underWay: number; waiting: number } }
  clock(): number
}

/** Seconds that a monitor waits for numbers from elsewhere: shorter than its own time limit, usually ten seconds. */
const patienceSeconds = 6

/** Seconds that a monitor waits for the numbers of one database, of which there may be several. */
const databaseSeconds = 5

/** The operation whose time is the latency of sends. */
const sending = 'POST /messages'

/** The metrics as text: of this node, and what the databases say, and how many of them say anything. */
export type MetricsParts = { node: string; database: string; databases: number }

/** The content type of their format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The metric of how many workers answer. A server of one process is its only worker. */
export function answeringWorkers(count: number): string {
  return `# HELP rookery_workers Workers that answer.\n# TYPE rookery_workers gauge\nrookery_workers ${count}\n`
}

/**
 * Loads the library, which takes a while: only servers with a monitor do that. `worker`: its number, if the server has
 * several. `patience`: seconds that a monitor waits for one database.
 */
export async function createMetrics(worker?: number, patience = databaseSeconds): Promise<Metrics> {
  return new Metrics(await import('prom-client'), patience, worker)
}

/** The metrics of one node, in the format of Prometheus. */
export class Metrics implements Observer {
  readonly contentType = metricsType
  private readonly ofNode: Prometheus.Registry
  /** The numbers of the database. They are left out while it does not respond: old numbers would look like new ones. */
  private readonly ofDatabase: Prometheus.Registry
  private readonly instruments: Instruments
  private readonly patience: number
  private databasesRead = 0
  private sources: Sources | undefined
  private reading: Promise<void> | undefined

  constructor(prometheus: typeof Prometheus, patience: number, worker?: number) {
    this.patience = patience
    this.ofNode = new prometheus.Registry()
    if (worker !== undefined) this.ofNode.setDefaultLabels({ worker: String(worker) })
    this.ofDatabase = new prometheus.Registry()
    prometheus.collectDefaultMetrics({ register: this.ofNode })
    this.instruments = createInstruments(prometheus, this.ofNode, this.ofDatabase)
    this.instruments.node.build.set({ version: productVersion }, 1)
  }

  /** Says where the other numbers come from. */
  readFrom(sources: Sources) {
    this.sources = sources
  }

  answered({ operation, status, seconds, waits }: Parameters<Observer['answered']>[0]) {
    const { requests, durations, sends } = this.instruments.counted
    requests.inc({ operation, status })
    if (waits) return
    durations.observe({ operation }, seconds)
    if (operation === sending && status === '200') sends.observe(seconds)
  }

  refused(exceeded: Excess) {
    this.instruments.counted.refused.inc({ exceeded })
  }

  delivered(seconds: number) {
    this.instruments.counted.deliveries.observe(seconds)
  }

  login(method: string, outcome: 'accepted' | 'refused') {
    this.instruments.counted.logins.inc({ method, outcome })
  }

  mailed(outcome: Parameters<Observer['mailed']>[0]) {
    this.instruments.counted.incomingMails.inc({ outcome })
  }

  failed(component: string) {
    this.instruments.counted.failures.inc({ component })
  }

  /** Reads everything, for all monitors that ask meanwhile, and returns the page for them. */
  async text(): Promise<string> {
    const { node, database } = await this.parts()
    return node + database + answeringWorkers(1)
  }

  /** Reads everything, and returns the parts of a page that has the metrics of other workers as well. */
  async parts(): Promise<MetricsParts> {
    this.reading ??= this.read().finally(() => {
      this.reading = undefined
    })
    await withTimeout(patienceSeconds, this.reading)
    const { databasesRead: databases } = this
    const database = databases > 0 ? await this.ofDatabase.metrics() : ''
    return { node: await this.ofNode.metrics(), database, databases }
  }

  private async read() {
    this.databasesRead = 0
    const { sources } = this
    if (!sources) return
    const node = sources.node()
    if (node) this.readNode(node)
    await Promise.all([
      this.readChecks(sources),
      this.readDisk(sources).catch(ignore),
      this.readBackup(sources).catch(ignore),
      node && this.readDatabases(node),
    ])
  }

  private readNode({ queues, realms, admission }: NodeSources) {
    const { node } = this.instruments
    const open = queues.open
    const { underWay, waiting } = admission.use
    node.underWay.set(underWay)
    node.heavyWaiting.set(waiting)
    node.polls.set(open.polls)
    node.streams.set(open.eventStreams)
    node.queues.set(open.queues)
    node.behindSeconds.set(realms.secondsBehind)
    for (const [pool, { used, idle, waiting }] of Object.entries(realms.databases.use())) {
      node.connections.set({ pool, state: 'used' }, used)
      node.connections.set({ pool, state: 'idle' }, idle)
      node.connectionsWaiting.set({ pool }, waiting)
    }
    this.readReplicas(realms.databases)
  }

  private readReplicas({ entries }: NodeSources['realms']['databases']) {
    const { replicaReads, replicaInUse } = this.instruments.node
    replicaReads.reset()
    for (const [database, { replica }] of entries) {
      if (!replica) continue
      replicaInUse.set({ database }, replica.isInUse ? 1 : 0)
      for (const [outcome, count] of Object.entries(replica.reads))
        replicaReads.inc({ database, outcome }, count)
    }
  }

  private async readChecks(sources: Sources) {
    const { checks, httpConnections } = this.instruments.node
    httpConnections.set(await sources.httpConnections())
    for (const [check, result] of Object.entries(await sources.checks())) {
      checks.set({ check }, result === 'ok' ? 1 : 0)
    }
  }

  private async readDisk({ dataDirectory }: Sources) {
    if (dataDirectory === undefined) return
    const { bavail, blocks, bsize } = await statfs(dataDirectory)
    const { diskFree, diskSize } = this.instruments.node
    diskFree.set({ disk: 'data' }, bavail * bsize)
    diskSize.set({ disk: 'data' }, blocks * bsize)
  }

  private async readBackup({ dataDirectory }: Sources) {
    const { backup } = this.instruments.node
    backup.reset()
    const last = dataDirectory === undefined ? undefined : await lastBackup(dataDirectory)
    if (last) backup.set({ kind: last.kind }, last.finishedAt)
  }

  private async readDatabases({ realms, clock }: NodeSources) {
    const { entries } = realms.databases
    const answers = new Map<string, DatabaseFigures>()
    const reads = entries.map(async ([name, connections]) =>
      answers.set(name, await readFigures(realms, connections, clock())),
    )
    // A database that hangs hides only its own numbers.
    await withTimeout(this.patience, Promise.allSettled(reads))
    for (const [database] of entries)
      this.instruments.node.databaseAnswers.set({ database }, answers.has(database) ? 1 : 0)
    this.databasesRead = answers.size
    if (answers.size > 0) this.tell(sumOfFigures([...answers.values()]))
  }

  private tell({ progress, waiting }: DatabaseFigures) {
    const { database } = this.instruments
    database.organizations.set(progress.organizations)
    database.position.set(progress.position)
    database.behind.set(progress.behind)
    database.clockSkew.set(waiting.clockSkew)
    // Kinds and states of which there are none any more.
    for (const gauge of [database.jobs, database.jobsAge, database.jobsParked, database.mails]) gauge.reset()
    for (const { kind, waiting: count, oldest, parked } of waiting.jobs) {
      database.jobs.set({ kind }, count)
      database.jobsAge.set({ kind }, oldest ?? 0)
      database.jobsParked.set({ kind }, parked)
    }
    for (const { state, count } of waiting.mails) database.mails.set({ state }, count)
    database.mailsAge.set(waiting.mails.find(({ state }) => state === 'waiting')?.oldest ?? 0)
    database.pushes.set(waiting.pushes.waiting)
    database.pushesAge.set(waiting.pushes.oldest ?? 0)
  }
}
