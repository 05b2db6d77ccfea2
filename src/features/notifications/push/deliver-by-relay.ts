import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  deviceGone,
  type PushRelay,
  type RelayNotification,
  RelayProblem,
} from '../../../adapters/push-relay.ts'
import { type JobContext, type JobHandler, parkJob, TryLater } from '../../../jobs/job.ts'
import { must } from '../../../lib/must.ts'
import { relayJob } from '../../kernel/push/jobs.ts'
import { pushLimits } from './limits.ts'
import { removeFromOutbox, settle, writeDown } from './outbox.ts'
import { clearPayloadOf, pushPayload } from './payload.ts'
import { type Pending, pendingFor } from './pending-notifications.ts'
import { seal } from './seal.ts'

const mine = sql<boolean>`d.kind <> 'browser'`

/**
 * Sends pending notifications to the relay in batches. If a response of the relay is lost, the batch is sent again: the
 * relay recognizes notifications by their ids. Notifications that it rejects are dropped, and all others continue.
 */
export const relayDelivery: JobHandler = {
  kind: relayJob,
  within: 0,
  isPossible: (adapters) => adapters.push !== undefined,
  isSlow: true,

  async run(context, job) {
    const until = performance.now() + pushLimits.pushTurnSeconds * 1000
    for (let goesOn = true; goesOn; ) {
      const { due, stale } = await pendingFor(context, mine, pushLimits.pushBatch)
      const refused = await send(context, due, stale)
      const gone = due.filter(({ row }) => refused.get(row.uid) === deviceGone).map(({ device }) => device)
      const outcome = { done: [...stale, ...due.map(({ row }) => row.id)], gone }
      goesOn = outcome.done.length === pushLimits.pushBatch && performance.now() < until
      await context.log.commit((change) =>
        goesOn ? writeDown(change, outcome) : settle(change, job, outcome, mine),
      )
    }
  },

  async giveUp({ log }, job, reason) {
    await log.commit(async (change) => void (await parkJob(change, job, reason)))
  },
}

/** Returns the relay's reasons for the notifications that it rejected. */
async function send(context: JobContext, due: Pending[], stale: number[]): Promise<Map<string, string>> {
  if (due.length === 0) return new Map()
  const { log, adapters, stopping, report } = context
  const relay = must(adapters.push, 'push relay')
  try {
    const notifications: RelayNotification[] = []
    for (const pending of due) {
      notifications.push(await notificationOf(context, relay, pending))
      // Encryption takes a while, so other requests get a chance to run.
      await setImmediate()
    }
    return await relay.send(notifications, stopping)
  } catch (error) {
    if (!(error instanceof RelayProblem)) throw error
    if (!stopping.aborted) report(error)
    if (stale.length > 0) await log.commit((change) => removeFromOutbox(change, stale))
    throw new TryLater(error.message, stopping.aborted ? 0 : pushLimits.pushPauseSeconds)
  }
}

async function notificationOf(
  { log, site }: JobContext,
  relay: PushRelay,
  pending: Pending,
): Promise<RelayNotification> {
  const { row, device } = pending
  const head = { id: row.uid, priority: row.kind === 'remove' ? ('normal' as const) : ('high' as const) }
  if (device.kind === 'encrypted') {
    const payload = pushPayload(log.state, site, pending)
    const encrypted_data = await seal(must(device.public_key, 'key of the device'), JSON.stringify(payload))
    return {
      ...head,
      device_id: must(device.relay_id, 'id of the device at the relay'),
      push_account_id: device.address,
      encrypted_data,
    }
  }
  const data = clearPayloadOf(log.state, site, pending, relay.showsClearText)
  const token = { token_kind: device.kind, token: device.address }
  return { ...head, ...token, ...(device.app_id !== null && { app_id: device.app_id }), data }
}
