import { expect, test } from 'vitest'
import { createUser } from './accounts.ts'
import { jobsOf } from './jobs.ts'
import { contentsOf, direct, sender } from './messages.ts'
import type { Organization } from './organization.ts'
import { submitForm } from './pages.ts'
import { report } from './presence.ts'
import { worldOfMail } from './programs/mail-server.ts'

// The clock of a machine may run ahead, by hours where it is taken for that of another time zone, or by years, until the machine
// hears the right time. Nothing may wait for the dates that were given until then.

const { all, server } = worldOfMail()
const day = 86_400

/** Does something while the clock is a year ahead. */
async function ahead<T>(work: () => Promise<T>): Promise<T> {
  all.pass(365 * day)
  try {
    return await work()
  } finally {
    all.pass(-365 * day)
  }
}

test('regular work goes on', async () => {
  const org = await all.organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [anna] })
  await org.owner.patch('/realm', { message_retention_days: 1 })
  await ahead(() => all.workOff())
  await sender(anna, channel)('a', 'written after that')
  await all.workOff()
  all.pass(2 * day)
  await all.workOff()
  expect((await contentsOf(anna, channel)).map(([, content]) => content)).not.toContain('written after that')
})

test('messages are sent at the time for which they were scheduled', async () => {
  const org = await all.organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [anna] })
  const at = all.node.site.clock() + 400 * day
  const schedule = { type: 'channel', to: channel.id, topic: 'a', content: 'a year later' }
  await anna.post('/scheduled_messages', { ...schedule, scheduled_delivery_timestamp: at })
  await ahead(() => all.workOff())
  await all.workOff()
  expect(await jobsOf(org, 'scheduled_message')).toMatchObject([{ due_at: at }])
})

test('passwords can be tried again', async () => {
  const org = await all.organization()
  const [email, password] = ['dora@example.com', 'swordfish 12']
  await createUser(org, { name: 'Dora', email, password })
  const logIn = async (typed: string) =>
    (await org.visitor.post('/fetch_api_key', { username: email, password: typed })).status
  await ahead(async () => {
    for (let i = 0; i < 5; i++) expect(await logIn('guess')).toBe(401)
    expect(await logIn(password)).toBe(429)
  })
  expect(await logIn(password)).toBe(200)
})

test('links to choose a password are mailed again', async () => {
  const org = await all.organization()
  const { email } = await org.person({ email: 'forgets@example.com' })
  const ask = () => submitForm(org, '/accounts/password/reset', { email })
  await ahead(async () => {
    for (let i = 0; i < 3; i++) await ask()
  })
  await server.awaitMails(email, 2)
  await ask()
  await server.awaitMails(email, 3)
})

test('a user who was there then is away now, and gets mail', async () => {
  const org = await all.organization()
  const [anna, ben] = [await org.person(), await org.person({ email: 'was.there@example.com' })]
  await ahead(() => report(ben))
  await direct(anna, [ben], 'Are you there?')
  await mailsAreDue(org)
  expect(server.to(ben.email).map(({ subject }) => subject)).toEqual([expect.stringContaining('message')])
  const { body } = await anna.get(`/users/${ben.id}/presence`)
  expect(body.presence.aggregated.status).toBe('offline')
})

/** Lets time pass until messages that were missed have been gathered, and sends the mails. */
async function mailsAreDue(org: Organization) {
  await expect
    .poll(async () => {
      await all.workOff()
      return jobsOf(org, 'missed messages')
    })
    .toHaveLength(1)
  all.pass(121)
  await all.workOff()
}
