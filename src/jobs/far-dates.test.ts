import { expect, test } from 'vitest'
import { testServer } from '../../test/test-server.ts'
import { finishJob, type JobHandler, scheduleJob } from './job.ts'
import { Jobs } from './jobs.ts'

const all = testServer({ standsStill: true })
const year = 365 * 86_400

/** Begins jobs of a kind on a node. Their first attempt fails. */
async function working(within: number) {
  const org = await all.organization()
  const kind = `test ${org.id}`
  const [done, failed]: [number[], number[]] = [[], []]
  const handler: JobHandler = {
    kind,
    within,
    async run({ log }, job) {
      if (job.attempts === 1 && !failed.includes(job.subject_id)) {
        failed.push(job.subject_id)
        throw new Error('The database is away.')
      }
      await log.commit(async (change) => {
        if (await finishJob(change, job)) done.push(job.subject_id)
      })
    },
    async giveUp() {},
  }
  const { app, site } = all.node
  const start = () =>
    new Jobs(app.realms, site, all.adapters, [handler], { report() {}, everySeconds: 3_600 })
  const schedule = (subject: number, seconds: number) =>
    org.log.commit((change) => scheduleJob(change, kind, subject, change.now + seconds))
  return { done, failed, start, schedule }
}

test('work goes on after the clock was ahead, at this node or at one that was started since', async () => {
  for (const isNew of [false, true]) {
    const { done, failed, start, schedule } = await working(0)
    let jobs = start()
    all.pass(year)
    await schedule(1, 0)
    await jobs.workOff()
    await schedule(2, 100)
    expect(failed).toEqual([1])
    all.pass(-year)
    if (isNew) {
      await jobs.close()
      jobs = start()
    }
    await jobs.workOff()
    // The second has its first attempt now.
    all.pass(10)
    await jobs.workOff()
    expect(done.sort()).toEqual([1, 2])
    await jobs.close()
  }
})

test('work of every day is done again, and waits for its usual date', async () => {
  const { failed, start, schedule } = await working(86_400)
  const jobs = start()
  all.pass(year)
  await schedule(1, 86_400)
  all.pass(-year)
  await jobs.workOff()
  expect(failed).toEqual([1])
  await schedule(2, 86_400)
  all.pass(86_399)
  await jobs.workOff()
  expect(failed).toEqual([1])
  all.pass(1)
  await jobs.workOff()
  expect(failed).toEqual([1, 2])
  await jobs.close()
})

test('work for which a user has chosen the date waits for it', async () => {
  const { failed, start, schedule } = await working(Number.POSITIVE_INFINITY)
  const jobs = start()
  await schedule(1, 10 * year)
  await jobs.workOff()
  all.pass(10 * year - 1)
  await jobs.workOff()
  expect(failed).toEqual([])
  all.pass(1)
  await jobs.workOff()
  expect(failed).toEqual([1])
  await jobs.close()
})
