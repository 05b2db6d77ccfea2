import { sql } from 'kysely'
import { adapterLimits } from '../../../adapters/limits.ts'
import { FetchError } from '../../../adapters/safe-fetch.ts'
import { type JobContext, type JobHandler, parkJob, TryLater } from '../../../jobs/job.ts'
import { must } from '../../../lib/must.ts'
import { browserJob } from '../../kernel/push/jobs.ts'
import { pushLimits } from './limits.ts'
import { removeFromOutbox, settle } from './outbox.ts'
import { pushPayload } from './payload.ts'
import { type Pending, pendingFor } from './pending-notifications.ts'
import { pushContact, serverKey } from './server-key.ts'

/**
 * Sends a browser's pending notifications to its push service. Forgets the browser if its subscription has ended, or if
 * its service is not on the public internet.
 */
export const browserDelivery: JobHandler = {
  kind: browserJob,
  within: 0,
  concurrency: pushLimits.concurrentPushBrowsers,

  async run(context, job) {
    const mine = sql<boolean>`d.id = ${job.subject_id}`
    const { due, stale } = await pendingFor(context, mine, pushLimits.concurrentPushesPerBrowser)
    const outcome = await sendAll(context, due, stale)
    await context.log.commit((change) => settle(change, job, outcome, mine))
  },

  async giveUp({ log }, job, reason) {
    await log.commit(async (change) => void (await parkJob(change, job, reason)))
  },
}

/** Sends all notifications. They must fit into the time limit of a job, so slow ones are retried with the rest. */
async function sendAll(context: JobContext, due: Pending[], stale: number[]) {
  const done = [...stale]
  const since = performance.now()
  try {
    for (const pending of due) {
      const left = Math.ceil(adapterLimits.pushSeconds * 1000 - (performance.now() - since))
      const fate = left > 0 ? await sendOne(context, pending, left) : 'later'
      if (fate === 'gone') return { done, gone: [pending.device] }
      if (fate === 'later') break
      done.push(pending.row.id)
    }
  } catch (error) {
    await context.log.commit((change) => removeFromOutbox(change, done))
    throw error
  }
  return { done, gone: [] }
}

/**
 * Sends one notification. Throws TryLater if the service may accept it later. A notification that is rejected for
 * another reason is dropped.
 */
async function sendOne(context: JobContext, pending: Pending, timeoutMs: number): Promise<'done' | 'gone'> {
  const { adapters, stopping } = context
  const { endpoint, method, headers, body } = await requestFor(context, pending)
  try {
    const answer = await adapters.fetch(endpoint, {
      method: method as 'POST',
      headers,
      body,
      timeoutMs,
      maxBytes: 64 * 1024,
      signal: stopping,
    })
    const { status } = answer
    if (status === 404 || status === 410) return 'gone'
    if (status < 500 && status !== 429) return 'done'
    throw new TryLater(
      `The push service answered with the status code ${status}.`,
      pauseIn(answer.headers.get('retry-after')),
    )
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.problem === 'refused') return 'gone'
    throw new TryLater(
      `Of the push service: ${error.message}.`,
      stopping.aborted ? 0 : pushLimits.pushPauseSeconds,
    )
  }
}

async function requestFor({ log, read, site }: JobContext, pending: Pending) {
  const { device, row } = pending
  const key = must(await serverKey(read, log.state), 'key of the server')
  const { default: webPush } = await import('web-push')
  const details = webPush.generateRequestDetails(
    {
      endpoint: device.address,
      keys: {
        p256dh: must(device.public_key, 'key of the browser'),
        auth: must(device.auth, 'secret of the browser'),
      },
    },
    JSON.stringify(pushPayload(log.state, site, pending)),
    {
      vapidDetails: {
        subject: pushContact(log.state, site),
        publicKey: key.public_key,
        privateKey: key.private_key,
      },
      TTL: pushLimits.pushKeptSeconds,
      urgency: row.kind === 'remove' ? 'normal' : 'high',
    },
  )
  const headers = Object.fromEntries(
    Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
  )
  return { endpoint: details.endpoint, method: details.method, headers, body: details.body }
}

function pauseIn(header: string | null): number {
  const asked = Number(header ?? Number.NaN)
  if (!(asked > 0)) return pushLimits.pushPauseSeconds
  return Math.min(Math.ceil(asked), pushLimits.pushLongestPauseSeconds)
}
