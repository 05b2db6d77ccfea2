import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { guard, ignore } from '../../lib/guard.ts'
import { readMethods, routed } from '../connection/head.ts'
import { methodNotAllowed, sendJson } from '../responses/answer.ts'
import { healthPrefix } from './monitor-paths.ts'

/** Throws if a part of what the server needs does not work now. */
export type HealthCheck = () => Promise<unknown>

/** The checks by name; undefined while the server starts. */
type Checks = () => Record<string, HealthCheck> | undefined

type Status = {
  status: 'ready' | 'not ready' | 'starting' | 'stopping'
  checks?: Record<string, 'ok' | 'failed'>
}

/** A check that takes longer has failed. */
const checkSeconds = 5
/** How long a result is returned to further requests. One run is under way at most, however slow it is. */
const keepSeconds = 1

/** Whether a node can do its work, by its checks. `report` receives what a check throws, with its name. */
export class Readiness {
  isStopping = false
  private known: Promise<Status> | undefined
  private readonly checks: Checks
  private readonly report: (check: string, error: unknown) => void

  constructor(checks: Checks, report: (check: string, error: unknown) => void) {
    this.checks = checks
    this.report = report
  }

  async status(): Promise<Status> {
    const all = this.checks()
    if (this.isStopping) return { status: 'stopping' }
    if (!all) return { status: 'starting' }
    this.known ??= runAll(all, this.report).finally(() => this.forgetSoon())
    return this.known
  }

  private forgetSoon() {
    const forget = guard(ignore, () => {
      this.known = undefined
    })
    setTimeout(forget, keepSeconds * 1000).unref()
  }
}

/**
 * Serves the state of this node to load balancers, supervisors and monitors, without login and on every host name.
 * `/health/live` returns 200 while the process answers at all. `/health/ready` returns 200 while the node can do its work,
 * and otherwise 503; its body has the result of each check.
 */
export function serveHealth(app: FastifyInstance, readiness: Readiness) {
  app.addHook('preClose', async () => {
    readiness.isStopping = true
  })
  serve(app, 'live', async () => ({ status: 'live' }))
  serve(app, 'ready', () => readiness.status())
}

function serve(app: FastifyInstance, name: string, look: () => Promise<{ status: string }>) {
  const handler = async ({ method }: FastifyRequest, reply: FastifyReply) => {
    if (!readMethods.includes(method)) return methodNotAllowed(reply, readMethods)
    const found = await look()
    return sendJson(reply, ['live', 'ready'].includes(found.status) ? 200 : 503, [JSON.stringify(found)])
  }
  app.route({ method: routed, url: healthPrefix + name, handler })
}

async function runAll(all: Record<string, HealthCheck>, report: (check: string, error: unknown) => void) {
  const results = await Promise.all(
    Object.entries(all).map(async ([name, check]) => {
      try {
        await Promise.race([check(), late()])
        return [name, 'ok'] as const
      } catch (error) {
        report(name, error)
        return [name, 'failed'] as const
      }
    }),
  )
  const isReady = results.every(([, result]) => result === 'ok')
  return {
    status: isReady ? ('ready' as const) : ('not ready' as const),
    checks: Object.fromEntries(results),
  }
}

async function late() {
  await sleep(checkSeconds * 1000, undefined, { ref: false })
  throw new Error(`There was no result within ${checkSeconds} seconds.`)
}
