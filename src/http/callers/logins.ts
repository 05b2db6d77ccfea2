import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'
import type { Observer } from '../../lib/observer.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { httpLimits } from '../limits.ts'

/** A login that an operation has made. */
export type MadeLogin = { userId: number; method: string }

/** Similar lines in this minute: how many were written, and how many were omitted. */
type Lines = { since: number; written: number; omitted: number }

/**
 * Logs the logins on a node, and those that are refused: a limited number of lines a minute, and then how many were left
 * out. A line names a user by id. It never has the name that was typed: some users type their password there.
 */
export class Logins {
  private readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>
  private readonly observer: Pick<Observer, 'login'> | undefined
  private readonly now: () => number
  private readonly made: Lines = { since: 0, written: 0, omitted: 0 }
  private readonly refused: Lines = { since: 0, written: 0, omitted: 0 }

  /** `now` returns milliseconds that never go back. */
  constructor(
    logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
    observer?: Pick<Observer, 'login'>,
    now = () => performance.now(),
  ) {
    this.logger = logger
    this.observer = observer
    this.now = now
  }

  /** Logs a login that was made. */
  note({ id: realmId }: RealmState, request: FastifyRequest, { userId, method }: MadeLogin) {
    this.observer?.login(method, 'accepted')
    const omitted = this.admitLine(this.made)
    if (omitted === undefined) return
    const who = { realmId, userId, method, ip: request.ip }
    this.logger.info({ reqId: request.id, ...who, ...omittedLines(omitted) }, 'login')
  }

  /** Logs a login that was refused. `userId`: the account that it was for, if there is one. Errors of the server are logged elsewhere. */
  refuse(
    { id: realmId }: RealmState,
    request: FastifyRequest,
    { method, userId, error }: { method: string; userId?: number | undefined; error: unknown },
  ) {
    if (!(error instanceof ApiError) || error.status >= 500) return
    this.observer?.login(method, 'refused')
    const omitted = this.admitLine(this.refused)
    if (omitted === undefined) return
    const who = { realmId, ...(userId !== undefined && { userId }), method, ip: request.ip }
    const reason = error.code ?? String(error.status)
    this.logger.warn({ reqId: request.id, ...who, reason, ...omittedLines(omitted) }, 'login refused')
  }

  /** Returns how many lines were omitted before this one; undefined if this one is omitted, too. */
  private admitLine(lines: Lines): number | undefined {
    const now = this.now()
    if (now - lines.since >= 60_000) Object.assign(lines, { since: now, written: 0 })
    if (lines.written >= httpLimits.loginLines) {
      lines.omitted++
      return undefined
    }
    const { omitted } = lines
    lines.omitted = 0
    lines.written++
    return omitted
  }
}

function omittedLines(omitted: number) {
  return omitted > 0 ? { leftOut: omitted } : {}
}
