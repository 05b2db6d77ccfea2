import type { Socket } from 'node:net'
import pg from 'pg'
import { guard, ignore } from '../lib/guard.ts'
import { databaseLimits } from './limits.ts'

/** The connections of a pool: how many are in use, how many are idle, and how many callers wait for one. */
export type PoolUse = { used: number; idle: number; waiting: number }

export function useOf({ totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

// Enough memory for a bitmap of the messages, among ten million, that have a frequent word. With 16 MB, PostgreSQL would note only their
// pages, and check all messages on these.
export const readSettings = { default_transaction_read_only: 'on', work_mem: '64MB' }

const sessionSettings = {
  // Compiling a statement takes longer than any of ours; our own PostgreSQL is set so anyway.
  jit: 'off',
  statement_timeout: `${databaseLimits.statementSeconds}s`,
  // If this process hangs, others do not wait for its locks.
  idle_in_transaction_session_timeout: `${databaseLimits.silenceSeconds}s`,
}

type PoolOptions = {
  settings?: Record<string, string>
  /** Runs on each new connection before its first use. */
  check?: (client: pg.PoolClient) => Promise<unknown>
  connectSeconds?: number
  /** Seconds for which a connection in use may be silent. */
  silenceSeconds?: number
}

export function newPool(connectionString: string, max: number, options: PoolOptions) {
  const { settings, check = async () => {}, connectSeconds = databaseLimits.connectSeconds } = options
  const { silenceSeconds = databaseLimits.silenceSeconds } = options
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'rookery',
    connectionTimeoutMillis: connectSeconds * 1000,
    idleTimeoutMillis: 0,
    keepAlive: true,
    onConnect(connected) {
      const client = connected as pg.PoolClient
      const start = () => begin(client, { ...sessionSettings, ...settings }, check)
      return endIfLate(client, connectSeconds, start)
    },
  })
  replaceLostConnections(pool)
  endSilent(pool, silenceSeconds)
  return pool
}

/**
 * Replaces a lost connection at its next use, where the failing query reports the loss. Without listeners, on the pool
 * for an idle one and on each for one in use, it would end the process.
 */
export function replaceLostConnections(pool: pg.Pool) {
  const survive = guard(ignore, (client: pg.PoolClient) => client.on('error', ignore))
  pool.on('error', ignore).on('connect', survive)
}

/** Sets up a new session. The settings are not parameters of the connection, which poolers refuse or drop. */
async function begin(
  client: pg.PoolClient,
  settings: Record<string, string>,
  check: (client: pg.PoolClient) => Promise<unknown>,
) {
  await client.query(
    Object.entries(settings)
      .map(([name, value]) => `SET ${name} = '${value}'`)
      .join('; '),
  )
  await check(client)
}

/** Ends the connection if the work on it takes longer than `seconds`. Its query then fails. */
export async function endIfLate<T>(
  client: pg.PoolClient,
  seconds: number,
  work: () => Promise<T>,
): Promise<T> {
  const end = guard(ignore, () => client.connection.stream.destroy())
  const late = setTimeout(end, seconds * 1000)
  try {
    return await work()
  } finally {
    clearTimeout(late)
  }
}

/**
 * Ends connections in use on which nothing has moved for long: a database that hangs, or has become unreachable, does
 * not close them by itself. The queries under way on them fail.
 */
function endSilent(pool: pg.Pool, seconds: number) {
  const socketOf = (client: pg.PoolClient) => client.connection.stream as Socket
  const end = function (this: Socket) {
    this.destroy()
  }
  const watch = guard(ignore, (client: pg.PoolClient) => socketOf(client).setTimeout(seconds * 1000, end))
  const leave = guard(ignore, (_: unknown, client: pg.PoolClient) => socketOf(client).setTimeout(0, end))
  pool.on('acquire', watch).on('release', leave)
}
