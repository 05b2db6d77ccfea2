import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeConnections } from '../../test/http.ts'
import { jobsOf } from '../../test/jobs.ts'
import { insist } from '../../test/load.ts'
import { messagesOf } from '../../test/messages.ts'
import type { Organization } from '../../test/organization.ts'
import type { Person } from '../../test/person.ts'
import { ServerProcess } from '../../test/processes/server-process.ts'
import { testServer } from '../../test/test-server.ts'
import { badRequest } from '../lib/api-error.ts'
import { Secrets } from '../lib/secrets/sealed.ts'
import { finishJob, type JobHandler, parkJob, scheduleJob, TryLater } from './job.ts'
import { Jobs } from './jobs.ts'
import { jobLimits } from './limits.ts'

describe('a job', () => {
  const all = testServer()
  const site = {
    publicUrl: new URL('http://chat.test'),
    version: '0',
    startedAt: 0,
    webPublicChannels: true,
    linkPreviews: true,
    embeddedBots: true,
    secrets: new Secrets('the secret of a test of jobs'),
    clock: () => now,
  }
  let now = 1_000

  /** Runs jobs of a separate kind with a handler, which records its calls. */
  async function working(
    run: (attempt: number, realmId: number) => void | Promise<void>,
    how: Pick<JobHandler, 'concurrency'> = {},
  ) {
    const org = await all.organization()
    const kind = `test ${org.id}`
    const noted: string[] = []
    const errors: unknown[] = []
    const handler: JobHandler = {
      kind,
      within: 100,
      ...how,
      async run({ log }, job) {
        await run(job.attempts, job.realm_id)
        await log.commit(async (change) => {
          if (await finishJob(change, job)) noted.push(`did ${job.subject_id}`)
        })
      },
      async giveUp({ log }, job, reason) {
        await log.commit(async (change) => {
          if (await parkJob(change, job, reason)) noted.push(`gave up: ${reason}`)
        })
      },
    }
    const { adapters } = all
    const start = () =>
      new Jobs(all.node.app.realms, site, adapters, [handler], {
        report: (error) => errors.push(error),
        everySeconds: 0.05,
      })
    const schedule = (subject: number, dueAt: number, where = org) =>
      where.log.commit((change) => scheduleJob(change, kind, subject, dueAt))
    const left = () => jobsOf(org, kind)
    return { org, noted, errors, start, schedule, left }
  }

  test('is done when it is due, and not before', async () => {
    const { noted, start, schedule, left } = await working(() => {})
    await schedule(1, now)
    await schedule(2, now + 100)
    const jobs = start()
    await expect.poll(() => noted).toEqual(['did 1'])
    await sleep(200)
    expect(noted).toEqual(['did 1'])
    now += 100
    await expect.poll(() => noted).toEqual(['did 1', 'did 2'])
    expect(await left()).toEqual([])
    await jobs.close()
  })

  test('is done once by several nodes, however many there are', async () => {
    const { noted, start, schedule } = await working(() => sleep(5))
    for (let subject = 0; subject < 3 * jobLimits.concurrentJobs; subject++) await schedule(subject, now)
    const jobs = [start(), start(), start()]
    await expect.poll(() => noted.length).toBe(3 * jobLimits.concurrentJobs)
    await sleep(200)
    expect(new Set(noted).size).toBe(noted.length)
    await Promise.all(jobs.map((one) => one.close()))
  })

  test('does not wait for all jobs of another organization', async () => {
    const other = await all.organization()
    const gate = new AbortController()
    const released = once(gate.signal, 'abort').then(() => {})
    const { org, noted, start, schedule } = await working((_, realmId) =>
      realmId === other.id ? undefined : released,
    )
    for (let subject = 0; subject < 2 * jobLimits.concurrentJobs; subject++)
      await schedule(subject, now - 100)
    const jobs = start()
    // One organization's maximum of jobs is under way, and none ends.
    await expect.poll(() => leased(org)).toBe(0.75 * jobLimits.concurrentJobs)
    await schedule(1_000, now, other)
    await expect.poll(() => noted).toEqual(['did 1000'])
    gate.abort()
    await expect.poll(() => noted.length).toBe(2 * jobLimits.concurrentJobs + 1)
    await jobs.close()
  })

  test('of a kind that is done one at a time goes round between organizations', async () => {
    const other = await all.organization()
    const turns: number[] = []
    const { org, start, schedule } = await working((_, realmId) => void turns.push(realmId), {
      concurrency: 1,
    })
    for (let subject = 0; subject < 4; subject++) await schedule(subject, now - 100)
    for (let subject = 4; subject < 6; subject++) await schedule(subject, now, other)
    const jobs = start()
    await expect.poll(() => turns).toHaveLength(6)
    expect(turns).toEqual([org, other, org, other, org, org].map(({ id }) => id))
    await jobs.close()
  })

  test('is tried again after a failure, later each time', async () => {
    const { noted, errors, start, schedule } = await working((attempt) => {
      if (attempt < 3) throw new Error('the database is away')
    })
    await schedule(1, now)
    const jobs = start()
    await expect.poll(() => errors.length).toBe(1)
    await sleep(200)
    expect(errors).toHaveLength(1)
    now += 2
    await expect.poll(() => errors.length).toBe(2)
    now += 4
    await expect.poll(() => noted).toEqual(['did 1'])
    await jobs.close()
  })

  test('that is put off has lost no try, and makes no fuss', async () => {
    const tries: number[] = []
    const { noted, errors, start, schedule } = await working((attempt) => {
      tries.push(attempt)
      if (tries.length < 4) throw new TryLater('not now', 10)
    })
    await schedule(1, now)
    const jobs = start()
    for (let count = 1; count < 4; count++) {
      await expect.poll(() => tries.length).toBe(count)
      await sleep(100)
      now += 10
    }
    await expect.poll(() => noted).toEqual(['did 1'])
    expect([tries, errors]).toEqual([[1, 1, 1, 1], []])
    await jobs.close()
  })

  test('that cannot be done is put aside until it is scheduled anew', async () => {
    let allowed = false
    const { noted, start, schedule, left } = await working(() => {
      if (!allowed) throw badRequest('You may not.')
    })
    await schedule(1, now)
    const jobs = start()
    await expect.poll(() => noted).toEqual(['gave up: You may not.'])
    expect(await left()).toMatchObject([{ parked_at: expect.any(Number), error: 'You may not.' }])
    allowed = true
    now += 1_000
    await sleep(200)
    expect(noted).toHaveLength(1)
    await schedule(1, now)
    await expect.poll(() => noted.at(-1)).toBe('did 1')
    await jobs.close()
  })

  test('that fails again and again is put aside, too', async () => {
    const { noted, start, schedule } = await working(() => {
      throw new Error('x')
    })
    await schedule(1, now)
    const jobs = start()
    const later = () => {
      now += jobLimits.jobPauseSeconds
      return noted
    }
    await expect.poll(later).toEqual(['gave up: It failed again and again.'])
    await jobs.close()
  })

  test('that is changed while it runs is done again as changed', async () => {
    const { noted, start, schedule } = await working(async (attempt) => {
      if (attempt === 1 && !changed) {
        changed = true
        await schedule(1, now + 50)
      }
    })
    let changed = false
    await schedule(1, now)
    const jobs = start()
    await expect.poll(() => changed).toBe(true)
    await sleep(200)
    expect(noted).toEqual([])
    now += 50
    await expect.poll(() => noted).toEqual(['did 1'])
    await jobs.close()
  })
})

async function leased({ log }: Organization): Promise<number> {
  const [found] = await log.commit((change) =>
    change.run(sql<{ count: number }>`
      SELECT count(*) FROM job WHERE realm_id = ${change.state.id} AND kind LIKE 'test %' AND leased_until > 0`),
  )
  return found!.count
}

describe('scheduled messages', () => {
  let server: ServerProcess

  beforeAll(async () => {
    server = await ServerProcess.create()
  })

  afterAll(async () => {
    closeConnections()
    await server?.remove()
  })

  test('are sent once each, however often the server is killed over it', { timeout: 180_000 }, async () => {
    const owner = await server.owner()
    const texts = Array.from({ length: 150 }, (_, i) => `message ${i}`)
    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 86_400
    for (const content of texts) {
      const message = { type: 'direct', to: [owner.id], content, scheduled_delivery_timestamp }
      const headers = { 'idempotency-key': content }
      await insist(() => owner.post('/scheduled_messages', message, { headers }))
    }
    for (let kills = 0; kills < 3; kills++) {
      await onDatabase((database) => killOverJobs(database, owner))
      await server.start()
    }
    await onDatabase((database) => makeDue(database, owner, texts.length))
    await expect.poll(() => sentBy(owner), { timeout: 60_000, interval: 500 }).toHaveLength(texts.length)
    expect((await sentBy(owner)).sort()).toEqual(texts.sort())
    expect((await owner.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
  })

  /** A server that restarts restarts its PostgreSQL too: no connection outlasts that. */
  async function onDatabase(act: (database: pg.Client) => Promise<void>) {
    const database = new pg.Client({ connectionString: server.databaseUrl })
    await database.connect()
    await act(database).finally(() => database.end())
  }

  /** Kills the server as soon as it has done some more of the jobs. */
  async function killOverJobs(database: pg.Client, owner: Person) {
    const countLeft = async () =>
      Number(
        (await database.query("SELECT count(*) FROM job WHERE kind = 'scheduled_message'")).rows[0].count,
      )
    const before = await countLeft()
    // However fast it is, it cannot do all of them.
    await makeDue(database, owner, 40)
    await expect.poll(countLeft, { timeout: 30_000, interval: 2 }).toBeLessThan(before)
    await server.kill()
    // PostgreSQL still carries out the last statements of the server, such as a claim.
    const sessions = async () =>
      (
        await database.query(
          `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        )
      ).rowCount
    await expect.poll(sessions).toBe(0)
    // The dead server's claims have no owner; the next server would learn that itself a little later.
    await database.query('UPDATE job SET leased_until = 0')
  }

  /** Makes the first remaining jobs due. A node that waits for tomorrow looks again when something happens. */
  async function makeDue(database: pg.Client, owner: Person, jobs: number) {
    await database.query(
      `UPDATE job SET due_at = 0 WHERE kind = 'scheduled_message' AND subject_id IN (
        SELECT subject_id FROM job WHERE kind = 'scheduled_message' ORDER BY subject_id LIMIT $1)`,
      [jobs],
    )
    await insist(() => owner.post('/users/me/status', { status_text: `${jobs} are due` }))
  }
})

async function sentBy(owner: Person): Promise<string[]> {
  const narrow = [{ operator: 'sender', operand: owner.id }]
  return (await messagesOf(owner, { narrow })).map(({ content }) => content)
}
