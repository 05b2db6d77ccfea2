import { setTimeout as sleep } from 'node:timers/promises'
import type { Connections, Reader } from '../db/database.ts'
import type { NamedDatabase } from '../db/databases.ts'
import { databaseLimits } from '../db/limits.ts'
import { notReady } from '../lib/api-error.ts'
import { LogClosed } from './head.ts'
import type { RealmPlaces } from './realm-places.ts'

const pollMs = 25

/**
 * The database of one organization. After a move, everything that uses this continues in the new database, including
 * reads that began before.
 */
export class RealmDatabase {
  readonly read: Reader
  private readonly places: RealmPlaces
  private readonly realmId: number
  private present: NamedDatabase
  private readonly moveListeners: (() => void)[] = []
  /** Resolves when the organization's new database is known. All who find the log closed wait for it. */
  private following: Promise<void> | undefined

  private constructor(places: RealmPlaces, realmId: number, present: NamedDatabase) {
    this.places = places
    this.realmId = realmId
    this.present = present
    this.read = readerOf(() => this.connections.read)
  }

  static async find(places: RealmPlaces, realmId: number): Promise<RealmDatabase> {
    return new RealmDatabase(places, realmId, await places.databaseOf(realmId))
  }

  /** The name of the present database. */
  get name(): string {
    return this.present.name
  }

  /** The connections to the present database. Do not keep them: a move changes them. */
  get connections(): Connections {
    return this.present.connections
  }

  /** Whether the server has other databases, to which the organization could be moved. */
  get canMove(): boolean {
    return this.places.areSeveral
  }

  get db() {
    return this.connections.db
  }

  get pool() {
    return this.connections.pool
  }

  /** See Connections. */
  readFor: Connections['readFor'] = (caller, end) => {
    let of: Connections | undefined
    let read: Reader | undefined
    // Many requests read nothing.
    return readerOf(() => {
      if (!read || of !== this.connections) {
        of = this.connections
        read = of.readFor(caller, end)
      }
      return read
    })
  }

  /** Calls the listener when the organization turns out to have been moved, before anything is read there. */
  onMove(listener: () => void) {
    this.moveListeners.push(listener)
  }

  /**
   * Does the work. If it finds the log closed before it has changed anything, it is repeated in the new database, as
   * soon as that can be written. Throws 503 if that takes too long.
   */
  async whereOpen<T>(work: (read: Reader) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work(this.read)
      } catch (error) {
        if (!(error instanceof LogClosed)) throw error
        this.following ??= this.follow().finally(() => {
          this.following = undefined
        })
        await this.following
      }
    }
  }

  private async follow(): Promise<void> {
    const end = performance.now() + databaseLimits.turnSeconds * 1000
    for (;;) {
      const found = await this.places.openDatabaseOf(this.realmId)
      if (found) return this.switchTo(found)
      if (performance.now() > end) {
        throw notReady('The organization is being moved to another database. Try again in a moment.')
      }
      await sleep(pollMs)
    }
  }

  private switchTo(database: NamedDatabase) {
    if (database.name === this.name) return
    this.present = database
    for (const listener of this.moveListeners) listener()
  }
}

/** Returns a reader that asks for the present reader before each read. */
function readerOf(present: () => Reader): Reader {
  return {
    selectFrom: ((table: 'account') => present().selectFrom(table)) as Reader['selectFrom'],
    rows: (query) => present().rows(query),
    prepared: (name, query) => present().prepared(name, query),
    snapshot: (work) => present().snapshot(work),
    longSnapshot: (work) => present().longSnapshot(work),
  }
}
