import { expect, test } from 'vitest'
import { encode, type Sent } from '../../../../test/http.ts'
import { keyMailedTo, mailsTo } from '../../../../test/mailbox.ts'
import type { Organization } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const html = { accept: 'text/html,*/*' }

function open(org: Organization, path: string) {
  return org.visitor.raw({ method: 'GET', path, headers: html })
}

function submit(org: Organization, path: string, fields: Sent) {
  const headers = { ...html, 'content-type': 'application/x-www-form-urlencoded' }
  return org.visitor.raw({ method: 'POST', path, headers, body: encode(fields) })
}

async function link(org: Organization, terms: Sent = {}) {
  const { invite_link } = (await org.owner.post('/invites/multiuse', terms)).body
  expect(invite_link).toMatch(/^http:\/\/org\d+\.chat\.test\/join\/[a-z2-7]{24}\/$/)
  return new URL(invite_link).pathname
}

/** Submits the form of a link; returns the path of the page where the account is made. */
async function confirmed(org: Organization, path: string, email: string): Promise<string> {
  const { status, headers } = await submit(org, path, { email })
  expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/accounts\/do_confirm\/\w+$/)])
  return headers.location!
}

test('users can join through a link with a browser', async () => {
  const org = await organization()
  const channel = await org.channel()
  const path = await link(org, { stream_ids: [channel.id], invite_as: 600 })
  const first = await open(org, path)
  expect(first.headers['content-type']).toContain('text/html')
  expect(first.headers['content-security-policy']).toContain("default-src 'none'")
  expect(first.text).toContain('<form method="post">')
  expect(first.text).toContain('<button>Continue</button>')
  for (const name of ['dora', 'emil']) {
    const email = `${name}@example.com`
    const confirm = await confirmed(org, path, email)
    const form = await open(org, confirm)
    expect(form.text).toContain(`value="${email}"`)
    const account = { email: 'other@example.com', full_name: name, password: 'swordfish 12' }
    const done = await submit(org, confirm, account)
    expect([done.status, done.headers.location]).toEqual([303, '/'])
    expect(done.headers['set-cookie']).toContainEqual(expect.stringMatching(/^rookery-organizations=org\d+;/))
    const cookie = done.headers['set-cookie']![0]!.split(';')[0]!
    const page = await org.visitor.raw({ method: 'GET', path: '/account', headers: { ...html, cookie } })
    expect([page.status, page.text.includes(email)]).toEqual([200, true])
    const { body } = await org.visitor.post('/fetch_api_key', { username: email, password: 'swordfish 12' })
    expect(org.state.users.get(body.user_id)).toMatchObject({ delivery_email: email, role: 600 })
    expect(org.state.subscription(body.user_id, channel.id)).toBeDefined()
    expect((await open(org, confirm)).status).toBe(400)
  }
})

test('a revoked link is invalid, and so are the keys that it mailed', async () => {
  const org = await organization()
  const path = await link(org)
  const confirm = await confirmed(org, path, 'dora@example.com')
  const [{ id }] = (await org.owner.get('/invites')).body.invites
  await org.owner.delete(`/invites/multiuse/${id}`)
  for (const gone of [path, confirm, '/join/nonsense', '/accounts/do_confirm/nonsense']) {
    const answer = await open(org, gone)
    expect([gone, answer.status]).toEqual([gone, 400])
    expect(answer.text).toContain('no longer valid')
  }
  expect((await submit(org, path, { email: 'emil@example.com' })).status).toBe(400)
  expect(await mailsTo(org, 'emil@example.com')).toEqual([])
})

test('the form shows errors and keeps the valid values', async () => {
  const org = await organization()
  const path = await link(org)
  const noAddress = await submit(org, path, { email: '<b>@' })
  expect(noAddress.status).toBe(400)
  expect(noAddress.text).toContain('Enter a valid email address.')
  expect(noAddress.text).not.toContain('<b>')
  const confirm = `${await confirmed(org, path, 'dora@example.com')}/`
  const weak = await submit(org, confirm, { full_name: 'Dora "D" Diaz', password: 'abc' })
  expect(weak.status).toBe(400)
  expect(weak.text).toContain('Invalid characters in name!')
  expect(weak.text).toContain('value="Dora &quot;D&quot; Diaz"')
  expect(weak.text).not.toContain('abc')
  expect((await submit(org, confirm, { full_name: 'Dora', password: 'swordfish 12' })).status).toBe(303)
})

test('through a link, an address that is taken is refused, and nothing is mailed', async () => {
  const org = await organization()
  const path = await link(org)
  const taken = await submit(org, path, { email: org.owner.email })
  expect([taken.status, taken.text.includes('already')]).toEqual([400, true])
  await confirmed(org, path, 'dora@example.com')
  for (const to of [org.owner.email, 'dora@example.com']) expect(await mailsTo(org, to)).toEqual([])
})

test('a link does not replace the confirmation of an address where only some domains are allowed', async () => {
  const org = await organization()
  await org.owner.post('/realm/domains', { domain: 'example.com', allow_subdomains: false })
  await org.owner.patch('/realm', { emails_restricted_to_domains: true })
  const path = await link(org)
  expect((await open(org, path)).text).toContain('<button>Send me the link</button>')
  const asked = await submit(org, path, { email: 'dora@example.com' })
  expect([asked.status, asked.text.includes('cannot send email')]).toEqual([200, true])
  const invite_key = path.split('/')[2]
  const { body } = await org.visitor.post('/rookery/sign_ups', { email: 'emil@example.com', invite_key })
  expect(body).toEqual({ result: 'success', msg: '' })
  for (const name of ['dora', 'emil']) expect(await mailsTo(org, `${name}@example.com`)).toHaveLength(1)
})

test('the page of an open organization exists only while it is open', async () => {
  const org = await organization()
  const closed = await open(org, '/register')
  expect(closed.status).toBe(403)
  expect(closed.text).toContain(`<h1>Join ${org.state.row.name}</h1>`)
  expect(closed.text).toContain(`You need an invitation to join ${org.state.row.name}.`)
  expect((await submit(org, '/register', { email: 'dora@example.com' })).text).toBe(closed.text)
  await org.owner.patch('/realm', { invite_required: false })
  expect((await open(org, '/register')).status).toBe(200)
  expect((await submit(org, '/register', { email: 'dora@example.com' })).status).toBe(200)
  const confirm = `/accounts/do_confirm/${await keyMailedTo(org, 'dora@example.com')}`
  expect((await submit(org, confirm, { full_name: 'Dora', password: 'swordfish 12' })).status).toBe(303)
  expect(org.state.userByEmail('dora@example.com')).toMatchObject({ role: 400, is_active: true })
})

test('where passwords are disabled, the page refers users to another login', async () => {
  const org = await organization()
  await org.owner.post('/invites', { invitee_emails: 'dora@example.com', stream_ids: [] })
  const settings = { ...org.state.row.settings, authentication_methods: { Email: false } }
  await org.log.commit((change) => change.update('realm', { id: org.id, settings }))
  const page = await open(org, `/accounts/do_confirm/${await keyMailedTo(org, 'dora@example.com')}`)
  expect(page.text).toContain('Owner has invited you.')
  expect(page.text).not.toContain('<form')
})

test('another site cannot make a browser join', async () => {
  const org = await organization()
  await org.owner.post('/invites', { invitee_emails: 'dora@example.com', stream_ids: [] })
  const path = `/accounts/do_confirm/${await keyMailedTo(org, 'dora@example.com')}`
  const body = encode({ full_name: 'Dora', password: 'swordfish 12' })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (headers: Record<string, string>) =>
    org.visitor.raw({ method: 'POST', path, headers: { ...html, ...type, ...headers }, body })
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
  expect(org.state.userByEmail('dora@example.com')).toBeUndefined()
})
