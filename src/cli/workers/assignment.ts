import type { OwnerLink } from '../serve/owner-link.ts'

/** The questions of the primary to its workers, by topic. */
export const tasks = {
  /** The first message of a worker: from now on, it reads messages of its primary. */
  begun: 'begun',
  /** Asks a worker to listen. The answer is the port. */
  listen: 'listen',
  /** Asks a worker to serve, on a database that is ready. */
  serve: 'serve',
  /** Asks a worker for an answer, as a sign of life. */
  respond: 'respond',
  /** Asks a worker to end in order. */
  stop: 'stop',
} as const

/** The settings that a worker needs to serve. */
export type Assignment = { databaseUrl: string; publicUrl: string; ownerLink: OwnerLink }

/** The variable that tells a process which worker it is. Being no setting, it is in no list of them. */
export const workerVariable = 'WORKER_OF_ROOKERY'

/** Returns which worker this process is; undefined if it is none. */
export function numberOfWorker(): number | undefined {
  const number = process.env[workerVariable]
  return number === undefined ? undefined : Number(number)
}
