import { expect, test } from 'vitest'
import { createUser } from '../../../../../test/accounts.ts'
import { send } from '../../../../../test/http.ts'
import type { Organization } from '../../../../../test/organization.ts'
import { Person } from '../../../../../test/person.ts'
import { linkIn, worldOfMail } from '../../../../../test/programs/mail-server.ts'

const { all, server } = worldOfMail()

const password = 'swordfish 12'

let addresses = 0

async function newcomer(org: Organization) {
  const account = { name: 'Dora', email: `dora${++addresses}@example.com` }
  return { ...account, ...(await createUser(org, { ...account, password })) }
}

async function logIn(org: Organization, username: string, client: string) {
  const headers = { 'user-agent': `${client}/1.0` }
  const { body } = await org.visitor.post('/fetch_api_key', { username, password }, { headers })
  return body.api_key as string
}

test('a new account receives a welcome mail unless the organization disables it', async () => {
  const org = await all.organization()
  const dora = await newcomer(org)
  const mail = await server.awaitMail(dora.email)
  expect(mail.subject).toContain('Welcome')
  expect(mail.text).toContain(dora.email)
  await org.owner.patch('/realm', { send_welcome_emails: false })
  const quiet = await newcomer(org)
  const loud = await newcomer(await all.organization())
  await server.awaitMail(loud.email)
  expect(server.to(quiet.email)).toEqual([])
})

test('a login from a new client or network is mailed once, unless the user turns this off', async () => {
  const org = await all.organization()
  const dora = await newcomer(org)
  await server.awaitMails(dora.email, 1)
  await logIn(org, dora.email, 'Laptop')
  all.pass(61)
  await logIn(org, dora.email, 'Laptop')
  const key = await logIn(org, dora.email, 'Phone')
  const [, notice] = await server.awaitMails(dora.email, 2)
  expect(notice!.text).toMatch(/Client: Phone\s+IP address: 127\.0\.0\.1/)

  const client = await new Person(org.place, { ...dora, key }).register()
  const path = linkIn(notice!, '/unsubscribe/')
  expect((await send(org.place, { method: 'POST', path })).status).toBe(200)
  expect(await client.events()).toContainEqual(
    expect.objectContaining({ property: 'enable_login_emails', value: false }),
  )
  await logIn(org, dora.email, 'Tablet')
  await all.workOff()
  expect(server.to(dora.email)).toHaveLength(2)
})
