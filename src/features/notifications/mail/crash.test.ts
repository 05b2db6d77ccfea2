import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeConnections } from '../../../../test/http.ts'
import type { Person } from '../../../../test/person.ts'
import { ServerProcess } from '../../../../test/processes/server-process.ts'
import { MailServer } from '../../../../test/programs/mail-server.ts'

const mailServer = new MailServer()
let server: ServerProcess
let owner: Person
let waits = 0

beforeAll(async () => {
  await mailServer.start()
  server = await ServerProcess.create({ ROOKERY_SMTP_URL: mailServer.url })
  owner = await server.owner()
})

afterAll(async () => {
  closeConnections()
  await server?.remove()
  await mailServer.stop()
})

/** Creates an account, which receives a welcome mail. */
async function welcome(email: string) {
  const answer = await owner.post('/users', { email, full_name: 'New', password: 'swordfish 12' })
  expect(answer.body).toMatchObject({ result: 'success' })
}

async function inDatabase<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const client = await connected()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** PostgreSQL may also be restarting, on another port. */
function connected() {
  return vi.waitFor(
    async () => {
      const client = new pg.Client({ connectionString: server.databaseUrl })
      await client.connect()
      return client
    },
    { timeout: 20_000 },
  )
}

/**
 * Makes jobs due, as if enough time had passed for another attempt. A server whose next job was due much later notices
 * only because something happens in the organization.
 */
async function wait() {
  await inDatabase(`UPDATE job SET due_at = 0, leased_until = 0 WHERE kind = 'mail'`)
  const answer = await owner.post('/users/me/status', { status_text: `Wait ${++waits}` })
  expect(answer.body).toMatchObject({ result: 'success' })
}

async function stateOf(address: string) {
  const [mail] = await inDatabase<{ state: string }>('SELECT state FROM mail WHERE recipient = $1', address)
  return mail!.state
}

async function killDuring(step: 'onRecipient' | 'onContent', work: () => Promise<void>) {
  const killed = new Promise<void>((resolve) => {
    mailServer[step] = async () => {
      mailServer[step] = () => {}
      await server.kill()
      resolve()
    }
  })
  await work()
  await killed
  await server.start()
}

test('a server killed before it has handed a mail over does so after the restart', async () => {
  await killDuring('onRecipient', () => welcome('early@example.org'))
  expect(mailServer.to('early@example.org')).toEqual([])
  await wait()
  await mailServer.awaitMail('early@example.org')
  await expect.poll(() => stateOf('early@example.org')).toBe('sent')
})

test('a mail that may have been handed over when the server was killed is not sent again and is marked', async () => {
  await killDuring('onContent', () => welcome('late@example.org'))
  expect(await stateOf('late@example.org')).toBe('handing-over')
  await welcome('next@example.org')
  await mailServer.awaitMail('next@example.org')
  expect(await stateOf('late@example.org')).toBe('handing-over')
  await wait()
  await expect.poll(() => stateOf('late@example.org')).toBe('uncertain')
  await wait()
  // Jobs that are due are looked for together, so one that was due before this would have been done.
  await welcome('last@example.org')
  await mailServer.awaitMail('last@example.org')
  expect(mailServer.to('late@example.org')).toHaveLength(1)
})

test('sends each of many mails once although the server is killed repeatedly', async () => {
  const addresses = Array.from({ length: 25 }, (_, i) => `many${i}@example.org`)
  const making = (async () => {
    for (const address of addresses) {
      while (!(await isMade(address))) await sleep(50)
    }
  })()
  for (let round = 0; round < 3; round++) {
    await sleep(700)
    await server.kill()
    await server.start()
    await wait()
  }
  await making
  await vi.waitFor(
    async () => {
      await wait()
      const open = await inDatabase(`SELECT 1 FROM mail WHERE state IN ('waiting', 'handing-over')`)
      expect(open).toEqual([])
    },
    { timeout: 40_000, interval: 1_000 },
  )
  for (const address of addresses) {
    const copies = mailServer.to(address).length
    const state = await stateOf(address)
    expect({ address, copies, state }).toEqual({ address, copies: state === 'sent' ? 1 : copies, state })
    expect(copies).toBeLessThanOrEqual(1)
    expect(['sent', 'uncertain']).toContain(state)
  }
})

async function isMade(email: string) {
  try {
    const { body } = await owner.post('/users', { email, full_name: 'New', password: 'swordfish 12' })
    return body?.result === 'success' || /already in use/.test(body?.msg ?? '')
  } catch {
    return false
  }
}
