import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../src/lib/network/free-port.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { type Causes, inspectedAt, sampleCauses } from '../causes.ts'
import { Nats } from '../nats.ts'
import { exactCpuSeconds, startNode } from '../nodes.ts'
import type { RunningServer } from '../server.ts'

type Node = { name: string; port: number; server: RunningServer; stopSamples(): Promise<Causes> }

/** Several nodes on one database, with a NATS server if there is one: each can be killed, and started again. */
export class DrillCluster {
  readonly database: EmbeddedPostgres
  readonly nats: Nats | undefined
  private readonly place: string
  private readonly nodes: (Node | undefined)[] = []
  private readonly ports: number[] = []
  private readonly causes: Causes[] = []
  private readonly seconds: number[] = []

  private constructor(place: string, database: EmbeddedPostgres, nats: Nats | undefined) {
    this.place = place
    this.database = database
    this.nats = nats
  }

  static async start(place: string): Promise<DrillCluster> {
    const dataDir = join(place, 'database')
    await mkdir(dataDir, { mode: 0o700 })
    const settings = { max_connections: '100' }
    const database = await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
    return new DrillCluster(place, database, await Nats.start())
  }

  /** Where the nodes listen, always the same. */
  get nodePorts(): readonly number[] {
    return this.ports
  }

  async startNode(number: number) {
    const inspector = await freePort()
    const name = 'abcdefghij'[number]!
    const plan = {
      databaseUrl: this.database.url,
      natsUrl: this.nats?.url,
      place: this.place,
      options: inspectedAt(inspector),
    }
    const server = await startNode(name, plan, this.ports[number])
    this.ports[number] = server.port
    const samples = await sampleCauses(inspector)
    this.nodes[number] = { name, port: server.port, server, stopSamples: samples.stop }
  }

  async killNode(number: number) {
    await this.note(number)
    await this.nodes[number]?.server.kill()
    this.nodes[number] = undefined
  }

  /** Ends PostgreSQL without notice. It is started again by itself. */
  async killDatabase() {
    const file = join(this.place, 'database', 'postgres', 'postmaster.pid')
    const [pid] = (await readFile(file, 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
  }

  async stop() {
    for (const node of this.nodes) await node?.server.stop()
    await this.nats?.kill()
    await this.database.stop()
  }

  /** Returns the seconds of each node so far, with all that had its name, and what they were for. */
  async spent(): Promise<{ name: string; seconds: number; causes: Causes }[]> {
    for (const number of this.nodes.keys()) await this.note(number)
    return this.causes.map((causes, i) => ({ name: 'abcdefghij'[i]!, seconds: this.seconds[i]!, causes }))
  }

  private async note(number: number) {
    const node = this.nodes[number]
    if (!node) return
    const samples = await node.stopSamples()
    const own = exactCpuSeconds(node.server.pid)
    this.seconds[number] = (this.seconds[number] ?? 0) + own
    const total = this.causes[number] ?? new Map<string, number>()
    this.causes[number] = total
    // Samples are taken by the clock, also while the node waits for a processor.
    const sampled = [...samples.values()].reduce((sum, seconds) => sum + seconds, 0)
    for (const [cause, seconds] of samples) {
      total.set(cause, (total.get(cause) ?? 0) + (seconds / sampled) * own)
    }
  }
}
