import { notReady } from '../lib/api-error.ts'
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

/** The connections to all databases of a server. */
export class Databases {
  readonly main: Connections
  private readonly byName = new Map<string, Connections>()

  constructor(main: Connections, others: Iterable<[name: string, connections: Connections]> = []) {
    this.main = main
    this.byName.set(mainDatabase, main)
    for (const [name, connections] of others) this.byName.set(name, connections)
  }

  /** Opens as many connections to each. See connect. */
  static connect(urls: DatabaseUrls, max: number, tracer?: Tracer): Databases {
    const others = [...(urls.databases ?? [])].map(([name, url]): [string, Connections] => [
      name,
      connect(url, max, tracer),
    ])
    return new Databases(connect(urls.databaseUrl, max, tracer), others)
  }

  /** All of them by name, the main one first. */
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

  /** How many connections are in use now, of all. */
  use(): { write: PoolUse; read: PoolUse } {
    const uses = this.all.map((connections) => connections.use())
    return { write: sum(uses.map(({ write }) => write)), read: sum(uses.map(({ read }) => read)) }
  }

  async close() {
    await Promise.all(this.all.map((connections) => connections.close()))
  }
}

function sum(uses: PoolUse[]): PoolUse {
  const total = (of: keyof PoolUse) => uses.reduce((count, use) => count + use[of], 0)
  return { used: total('used'), idle: total('idle'), waiting: total('waiting') }
}
