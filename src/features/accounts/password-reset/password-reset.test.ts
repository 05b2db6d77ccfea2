import { expect, test } from 'vitest'
import { send } from '../../../../test/http.ts'
import { newOrganization, Organization } from '../../../../test/organization.ts'
import { getPage, submitForm } from '../../../../test/pages.ts'
import { DatabaseLine } from '../../../../test/programs/database-line.ts'
import { linkIn, worldOfMail } from '../../../../test/programs/mail-server.ts'
import { startNode } from '../../../../test/test-server.ts'
import { passwordResetLimits } from './limits.ts'

const { all, server } = worldOfMail()

let addresses = 0

async function personWithPassword(org: Organization) {
  const email = `forgetful${++addresses}@example.com`
  const { id } = await org.person({ email })
  return { id, email }
}

function logIn(org: Organization, username: string, password: string) {
  return org.visitor.post('/fetch_api_key', { username, password })
}

const ask = (org: Organization, email: string) => submitForm(org, '/accounts/password/reset', { email })

test('the link in a mail replaces a forgotten password, once', async () => {
  const org = await all.organization()
  const { email } = await personWithPassword(org)
  expect((await getPage(org, '/accounts/password/reset')).text).toContain('name="email"')
  expect((await ask(org, email.toUpperCase())).status).toBe(200)
  const mail = await server.awaitMail(email)
  const path = linkIn(mail, '/accounts/password/reset/')
  expect(mail.html).toContain(path)
  // Opening the page does not use the link up.
  for (let i = 0; i < 2; i++) expect((await getPage(org, path)).text).toContain('name="password"')
  const weak = await submitForm(org, path, { password: 'iloveyou' })
  expect(weak).toMatchObject({
    status: 400,
    text: expect.stringContaining('This password is too easy to guess.'),
  })
  const both = await Promise.all([1, 2].map(() => submitForm(org, path, { password: 'a new one 77' })))
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400])
  const { headers } = both.find(({ status }) => status === 303)!
  expect(headers.location).toBe('/')
  // The link has proved who its reader is, so they are signed in.
  expect(headers['set-cookie']).toContainEqual(expect.stringMatching(/^rookery-organizations=org\d+;/))
  const cookie = headers['set-cookie']![0]!.split(';')[0]!
  const own = await send(org.place, { method: 'GET', path: '/json/users/me', headers: { cookie } })
  expect(own.body).toMatchObject({ result: 'success', delivery_email: email })
  expect((await logIn(org, email, 'a new one 77')).status).toBe(200)
  expect((await submitForm(org, path, { password: 'another 78' })).status).toBe(400)
  const over = await getPage(org, path)
  expect(over).toMatchObject({ status: 400, text: expect.stringContaining('Forgot your password?') })
  expect(over.text).not.toContain('start the server')
  const [, notice] = await server.awaitMails(email, 2)
  expect(notice!.subject).toMatch(/password .* was changed/)
  expect(notice!.text).not.toContain('/reset/')
})

test('reveals no accounts, and mails only the owner of an account', async () => {
  // Every response takes the same minimum time. Timers may fire slightly early.
  const shortest = passwordResetLimits.mailRequestMs - 20
  const org = await all.organization()
  const { email } = await personWithPassword(org)
  const gone = await personWithPassword(org)
  await org.owner.delete(`/users/${gone.id}`)
  const timed = async (address: string) => {
    const start = performance.now()
    const { status, text } = await ask(org, address)
    return { status, text: text.replace(address, ''), ms: performance.now() - start }
  }
  const known = await timed(email)
  expect(known.ms).toBeGreaterThan(shortest)
  for (const address of ['nobody-here@example.com', gone.email]) {
    const unknown = await timed(address)
    expect(unknown).toMatchObject({ status: known.status, text: known.text })
    expect(unknown.ms).toBeGreaterThan(shortest)
    expect(server.to(address)).toEqual([])
  }
  expect((await ask(org, 'nonsense')).status).toBe(400)
})

test('the page of another site cannot use a link to sign its visitor in', async () => {
  const org = await all.organization()
  const { email } = await personWithPassword(org)
  await ask(org, email)
  const path = linkIn(await server.awaitMail(email), '/accounts/password/reset/')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' }
  const refused = await send(org.place, { method: 'POST', path, headers, body: 'password=a+new+one+77' })
  expect(refused.status).toBe(403)
  expect((await submitForm(org, path, { password: 'a new one 77' })).status).toBe(303)
})

test('a link works for an hour, and only in its organization', async () => {
  const [org, other] = await Promise.all([all.organization(), all.organization()])
  const { email } = await personWithPassword(org)
  await ask(org, email)
  const path = linkIn(await server.awaitMail(email), '/accounts/password/reset/')
  expect((await getPage(other, path)).status).toBe(400)
  expect((await getPage(org, path)).status).toBe(200)
  all.pass(3_601)
  expect((await getPage(org, path)).status).toBe(400)
  expect((await submitForm(org, path, { password: 'a new one 77' })).status).toBe(400)
})

test('limits the mails to an address to two an hour', async () => {
  const org = await all.organization()
  const { email } = await personWithPassword(org)
  for (let i = 0; i < 4; i++) expect((await ask(org, email)).status).toBe(200)
  await server.awaitMails(email, 2)
  await all.workOff()
  expect(server.to(email)).toHaveLength(2)
})

test('a user whom another node has just created gets the link', async () => {
  const line = await DatabaseLine.to(all.databaseUrl)
  line.stopAfter('LISTEN')
  const deaf = await startNode(line.url, { adapters: { mail: server.transport } })
  try {
    const org = await newOrganization(deaf, 'deaf')
    const beside = new Organization(await all.node.app.realms.byId(org.id), org.owner)
    const { email } = await personWithPassword(beside)
    expect((await ask(org, email)).status).toBe(200)
    expect((await server.awaitMail(email)).text).toContain('/accounts/password/reset/')
  } finally {
    await deaf.close()
    await line.close()
  }
})
