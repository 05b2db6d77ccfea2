import { RegistrationRefused, RelayProblem } from '../../../adapters/push-relay.ts'
import type { PushDeviceRow } from '../../../db/schema.ts'
import { finishJob, type Job, type JobContext, type JobHandler, TryLater } from '../../../jobs/job.ts'
import { must } from '../../../lib/must.ts'
import { realmUrl } from '../../../lib/site.ts'
import { registrationJob } from '../../kernel/push/jobs.ts'
import { pushDeviceChanged } from '../../kernel/push/push_device.event.ts'
import { pushLimits } from './limits.ts'

/** Sends the registration of a device to the relay until the relay accepts or rejects it, for at most a day. */
export const deviceRegistrationJob: JobHandler = {
  kind: registrationJob,
  within: 0,
  isPossible: (adapters) => adapters.push !== undefined,
  isSlow: true,

  async run(context, job) {
    const { log, site } = context
    await log.catchUp()
    const device = log.state.pushDevices.get(job.subject_id)
    if (device?.state !== 'pending') return void (await log.commit((change) => finishJob(change, job)))
    const isOver = job.due_at < site.clock() - pushLimits.pushRegistrationSeconds
    const outcome = isOver ? failedWith('REQUEST_EXPIRED') : await register(context, device)
    await settle(context, job, outcome)
  },

  async giveUp(context, job) {
    await settle(context, job, failedWith('REQUEST_EXPIRED'))
  },
}

type Outcome = Pick<PushDeviceRow, 'state' | 'error_code' | 'relay_id'>

async function register(
  { log, site, adapters, stopping, report }: JobContext,
  device: PushDeviceRow,
): Promise<Outcome> {
  const registration = {
    realm_url: realmUrl(site, log.state.row),
    push_account_id: device.address,
    token_kind: must(device.token_kind, 'kind of token'),
    bouncer_public_key: must(device.relay_key, 'key of the relay'),
    encrypted_push_registration: must(device.registration, 'registration'),
  }
  try {
    const relay_id = await must(adapters.push, 'push relay').register(registration, stopping)
    return { state: 'active', error_code: null, relay_id }
  } catch (error) {
    if (error instanceof RegistrationRefused) return failedWith(error.code)
    if (!(error instanceof RelayProblem)) throw error
    if (!stopping.aborted) report(error)
    throw new TryLater(error.message, stopping.aborted ? 0 : pushLimits.pushPauseSeconds)
  }
}

function failedWith(code: string): Outcome {
  return { state: 'failed', error_code: code, relay_id: null }
}

/** Writes the outcome. Does nothing if the device was registered again or removed in the meantime. */
async function settle({ log }: JobContext, job: Job, outcome: Outcome) {
  await log.commit(async (change) => {
    const device = change.state.pushDevices.get(job.subject_id)
    if (!(await finishJob(change, job)) || device?.state !== 'pending') return
    const updated = await change.update('push_device', { id: device.id, ...outcome, registration: null })
    change.emit(pushDeviceChanged(updated), { users: [device.user_id] })
  })
}
