import { expect, test } from 'vitest'
import { jobsOf } from '../../test/jobs.ts'
import { testServer } from '../../test/test-server.ts'
import { withResolvers } from '../../test/with-resolvers.ts'
import { finishJob, type JobHandler, parkJob, scheduleJob } from './job.ts'
import { Jobs } from './jobs.ts'
import { jobLimits } from './limits.ts'

const all = testServer({ standsStill: true })
const kind = 'a test'

test('a job that another node has taken over is not put back by the one that was too slow', async () => {
  const { app, site } = all.node
  const org = await all.organization()
  const [first, second] = [withResolvers(), withResolvers()]
  let begun = 0
  const handler: JobHandler = {
    kind,
    within: 0,
    async run({ log }, job) {
      begun = job.attempts
      await (begun === 1 ? first : second).promise
      if (job.attempts === 1) throw new Error('too slow')
      await log.commit((change) => finishJob(change, job))
    },
    giveUp: ({ log }, job, reason) => log.commit(async (change) => void (await parkJob(change, job, reason))),
  }
  const errors: unknown[] = []
  const start = () =>
    new Jobs(app.realms, site, all.adapters, [handler], {
      report: (error) => errors.push(error),
      everySeconds: 0.05,
    })
  await org.log.commit((change) => scheduleJob(change, kind, 1, change.now))
  const slow = start()
  await expect.poll(() => begun).toBe(1)
  // It begins no more.
  const closed = slow.close()
  all.pass(jobLimits.jobLeaseSeconds)
  const other = start()
  await expect.poll(() => begun).toBe(2)
  first.resolve()
  await closed
  expect(errors).toHaveLength(1)
  const leased_until = site.clock() + jobLimits.jobLeaseSeconds
  expect(await jobsOf(org, kind)).toMatchObject([{ attempts: 2, leased_until }])
  second.resolve()
  await expect.poll(() => jobsOf(org, kind)).toEqual([])
  await other.close()
})
