import { signedInAs } from '../lib/signed-in-as.ts'
import type { Message } from './messages.ts'
import type { ServerState } from './server-state-types.ts'
import type { KeptWindow } from './windows.ts'

// The state at the last visit, in the browser's database: the page shows it before the server has answered, or without a
// server, and goes on from its event. It belongs to one user, and only a page of the same build reads it.

/** `state.last_event_id`: the last event that it contains. */
export type Kept = {
  state: ServerState
  windows: KeptWindow[]
  messages: Message[]
  /** When the server returned the state that the events were folded into, in milliseconds since 1970. */
  registeredAt: number
}

/** The facts that decide whether the stored state may be used or replaced, without reading all of it. */
type Mark = { userId: number; build: string; position: number; at: number }

const database = 'rookery'
const table = 'kept'
/** Set while there is something, so that a first visit does not wait for the database. */
const flag = 'rookery.kept'
/** The file that this is a part of has the hash of its content in its name. */
const build = import.meta.url

/** Whether this browser can keep a state. Tabs could not take turns without locks, which only secure pages have. */
export const mayKeep = Boolean(navigator.locks && globalThis.indexedDB)

/** Returns the state of this user's last visit. Removes that of another user. */
export async function readKept(): Promise<Kept | undefined> {
  if (!mayKeep || !localStorage.getItem(flag)) return undefined
  return read().catch(() => undefined)
}

async function read(): Promise<Kept | undefined> {
  const mark: Mark | undefined = await inTable('readonly', (rows) => rows.get('mark'))
  if (!mark) return undefined
  if (mark.userId === signedInAs() && mark.build === build)
    return inTable('readonly', (rows) => rows.get('state'))
  await forgetKept()
  return undefined
}

/** Keeps a state, unless a newer one is there already. */
export async function keep(kept: Kept): Promise<void> {
  const { user_id: userId, last_event_id: position } = kept.state
  if (!mayKeep || hasEnded || signedInAs() !== userId) return
  await inTable('readwrite', (rows) => {
    const found: IDBRequest<Mark | undefined> = rows.get('mark')
    found.onsuccess = () => {
      const before = found.result
      if (before?.userId === userId && before.build === build && before.position > position) return
      rows.put({ userId, build, position, at: Date.now() } satisfies Mark, 'mark')
      rows.put(kept, 'state')
      // The page may be about to end.
      rows.transaction.commit()
    }
    return found
  })
  localStorage.setItem(flag, 'yes')
}

let hasEnded = false

/** Removes the kept state, and keeps nothing more in this tab: the user signs out. */
export function endKeeping(): Promise<void> {
  hasEnded = true
  return forgetKept()
}

/** Removes the kept state. */
export async function forgetKept(): Promise<void> {
  if (!mayKeep) return
  localStorage.removeItem(flag)
  await inTable('readwrite', (rows) => rows.clear()).catch(() => {})
}

/**
 * Removes a kept state that is newer than the server's own: the server's database has gone back in time, and the numbers
 * of its events say nothing about those before.
 */
export async function forgetNewerThan(position: number): Promise<void> {
  if (!mayKeep || !localStorage.getItem(flag)) return
  const mark: Mark | undefined = await inTable('readonly', (rows) => rows.get('mark')).catch(() => undefined)
  if (mark && mark.position > position) await forgetKept()
}

async function inTable<T>(
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opened = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(table, mode)
      const request = work(transaction.objectStore(table))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    opened.close()
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(table)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
