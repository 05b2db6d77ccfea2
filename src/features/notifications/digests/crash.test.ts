import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeConnections } from '../../../../test/http.ts'
import { ServerProcess } from '../../../../test/processes/server-process.ts'
import { MailServer } from '../../../../test/programs/mail-server.ts'

const mailServer = new MailServer()
let server: ServerProcess

beforeAll(async () => {
  await mailServer.start()
  server = await ServerProcess.create({ ROOKERY_SMTP_URL: mailServer.url })
})

afterAll(async () => {
  closeConnections()
  await server?.remove()
  await mailServer.stop()
})

const readers = 120

async function inDatabase<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** The time zone where it is noon now, and the weekday there (0: Monday). */
function noon() {
  const now = new Date()
  const ahead = 12 - now.getUTCHours()
  const there = new Date(now.getTime() + ahead * 3_600_000)
  // The names of these zones count westward.
  return { zone: `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`, weekday: (there.getUTCDay() + 6) % 7 }
}

/** Adds readers who have been away for a month, and makes their digests due, while the server is down. */
async function makeDue() {
  const { zone, weekday } = noon()
  await inDatabase(
    `WITH reader AS (
      INSERT INTO account (realm_id, delivery_email, full_name, role, timezone, created_at)
      SELECT r.id, 'reader' || i || '@example.org', 'Reader ' || i, 400, $1, $2
      FROM realm r, generate_series(1, $3::integer) AS i RETURNING realm_id, id)
    INSERT INTO subscription (realm_id, user_id, channel_id, received, color)
    SELECT c.realm_id, reader.id, c.id, '[[1, null]]', '#76ce90'
    FROM reader JOIN channel c ON c.realm_id = reader.realm_id AND c.name = 'harbour'`,
    zone,
    Math.floor(Date.now() / 1000) - 30 * 86_400,
    readers,
  )
  await inDatabase(`UPDATE realm SET settings = settings || $1::jsonb`, {
    digest_emails_enabled: true,
    digest_weekday: weekday,
  })
  await inDatabase(
    `INSERT INTO job (realm_id, kind, subject_id, due_at) SELECT id, 'digests', 0, 0 FROM realm`,
  )
}

/** Makes jobs due, as if enough time had passed for another attempt. */
const wait = () =>
  inDatabase(
    `UPDATE job SET due_at = 0, leased_until = 0 WHERE kind = 'mail' OR (kind = 'digests' AND leased_until > 0)`,
  )

const written = async () =>
  (await inDatabase<{ id: number }>(`SELECT id FROM mail WHERE kind = 'digest'`)).length

test('writes and sends each digest once although the server is killed repeatedly', async () => {
  const owner = await server.owner()
  await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] })
  const sent = await owner.post('/messages', {
    type: 'channel',
    to: 'harbour',
    topic: 'boats',
    content: 'ahoy',
  })
  expect(sent.body).toMatchObject({ result: 'success' })
  await server.kill()
  await makeDue()
  for (let kills = 0; kills < 3; kills++) {
    const before = await written()
    await server.start()
    for (let tries = 0; tries < 200 && (await written()) === before; tries++) await sleep(10)
    await server.kill()
    await wait()
  }
  await server.start()
  await vi.waitFor(
    async () => {
      await wait()
      expect(await written()).toBe(readers)
      expect(await inDatabase(`SELECT 1 FROM mail WHERE state IN ('waiting', 'handing-over')`)).toEqual([])
    },
    { timeout: 60_000, interval: 1_000 },
  )
  const recipients = await inDatabase<{ recipient: string; state: string }>(
    `SELECT recipient, state FROM mail WHERE kind = 'digest'`,
  )
  expect(new Set(recipients.map(({ recipient }) => recipient)).size).toBe(readers)
  for (const { recipient, state } of recipients) {
    const copies = mailServer.to(recipient).length
    expect({ recipient, copies, state }).toEqual({ recipient, copies: state === 'sent' ? 1 : copies, state })
    expect(copies).toBeLessThanOrEqual(1)
  }
})
