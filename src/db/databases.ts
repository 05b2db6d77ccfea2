import { notReady } from '../lib/api-error.ts'
import { ignore } from '../lib/guard.ts'
import { mainDatabase } from '../lib/main-database.ts'
import type { Tracer } from '../lib/tracer.ts'
import { type Connections, connect } from './database.ts'
import type { PoolUse } from './pool.ts'

/** One of a server's databases. */
export type NamedDatabase = { readonly name: string; readonly connections: Connections }

/** The main database, and the others that have organizations, by name. */
export type DatabaseUrls = { databaseUrl: string; databases?: ReadonlyMap<string, string> | undefined }

/** Returns the URLs of all databases by name, the main one first. */
export function allUrls({ databaseUrl, databases = new Map() }: DatabaseUrls): Map<string, string> {
  return new Map([[mainDatabase, databaseUrl], ...databases])
}

/** The standbys that read, of the main database and of the others by name. */
export type ReplicaUrls = {
  databaseReplicaUrl?: string | undefined
  databaseReplicas?: ReadonlyMap<string, string> | undefined
}

/** Returns the URLs of all standbys, by the name of the database. */
export function allReplicas({ databaseReplicaUrl, databaseReplicas = new Map() }: ReplicaUrls) {
  const ofMain: [string, string][] =
    databaseReplicaUrl === undefined ? [] : [[mainDatabase, databaseReplicaUrl]]
  return new Map<string, string>([...ofMain, ...databaseReplicas])
}

/** The connections to all databases of a server. */
export class Databases {
  readonly main: Connections
  private readonly byName = new Map<string, Connections>()

  constructor(main: Connections, others: Iterable<[name: string, connections: Connections]> = []) {
    this.main = main
    this.byName.set(mainDatabase, main)
    for (const [name, connections] of others) this.byName.set(name, connections)
  }

  /** Opens as many connections to each. See connect. `report` receives why a replica cannot be used. */
  static connect(
    urls: DatabaseUrls,
    max: number,
    tracer?: Tracer,
    { report = ignore, ...replicaUrls }: ReplicaUrls & { report?: (error: unknown) => void } = {},
  ): Databases {
    const replicas = allReplicas(replicaUrls)
    const open = (name: string, url: string) => {
      const replica = replicas.get(name)
      return connect(url, max, tracer, replica === undefined ? undefined : { url: replica, report })
    }
    const others = [...(urls.databases ?? [])].map(([name, url]): [string, Connections] => [
      name,
      open(name, url),
    ])
    return new Databases(open(mainDatabase, urls.databaseUrl), others)
  }

  /** The connections to all databases by name, the main one first. */
  get entries(): [name: string, connections: Connections][] {
    return [...this.byName]
  }

  get all(): Connections[] {
    return [...this.byName.values()]
  }

  named(name: string): Connections {
    const connections = this.byName.get(name)
    if (connections) return connections
    throw notReady(`The organization is in the database ${name}, which this server does not know.`)
  }

  /** How many connections are in use now, in all databases. */
  use(): { write: PoolUse; read: PoolUse; replica?: PoolUse } {
    const uses = this.all.map((connections) => connections.use())
    const replicas = uses.flatMap(({ replica }) => replica ?? [])
    return {
      write: sum(uses.map(({ write }) => write)),
      read: sum(uses.map(({ read }) => read)),
      ...(replicas.length > 0 && { replica: sum(replicas) }),
    }
  }

  async close() {
    await Promise.all(this.all.map((connections) => connections.close()))
  }
}

function sum(uses: PoolUse[]): PoolUse {
  const total = (of: keyof PoolUse) => uses.reduce((count, use) => count + use[of], 0)
  return { used: total('used'), idle: total('idle'), waiting: total('waiting') }
}
