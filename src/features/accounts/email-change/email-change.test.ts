import { expect, test } from 'vitest'
import { send, success } from '../../../../test/http.ts'
import type { Organization } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { linkIn, worldOfMail } from '../../../../test/programs/mail-server.ts'

const { all, server } = worldOfMail()

function open(org: Organization, method: 'GET' | 'POST', path: string) {
  return send(org.place, { method, path, headers: { accept: 'text/html' } })
}

const linkFor = async (address: string) =>
  linkIn((await server.awaitMails(address)).at(-1)!, '/accounts/confirm_new_email/')

test('a new address is valid once it is confirmed by mail, and the old address is notified', async () => {
  const org = await all.organization()
  const anna = await org.person({ email: 'anna.old@example.com' })
  const other = await (await org.person()).register()
  const own = await anna.register()
  expect((await anna.patch('/settings', { email: 'anna.new@example.com' })).body).toEqual(success)
  expect(await other.events()).toEqual([])
  const path = await linkFor('anna.new@example.com')
  expect((await open(org, 'GET', path)).text).toContain('anna.new@example.com')
  expect((await anna.get('/users/me')).body.delivery_email).toBe('anna.old@example.com')

  expect((await open(org, 'POST', path)).status).toBe(200)
  const changed = new Person(org.place, { ...anna, email: 'anna.new@example.com' })
  expect((await changed.get('/users/me')).body.delivery_email).toBe('anna.new@example.com')
  expect((await anna.get('/users/me')).status).toBe(401)
  expect(await other.events()).toMatchObject([
    { person: { user_id: anna.id, delivery_email: 'anna.new@example.com' } },
    { person: { user_id: anna.id, new_email: 'anna.new@example.com' } },
    { person: { user_id: anna.id, avatar_source: 'G' } },
  ])
  await other.expectStateToMatch()
  expect(own.state.delivery_email).toBe('anna.old@example.com')
  const notice = await server.awaitMail('anna.old@example.com')
  expect(notice.text).toContain('anna.new@example.com')
  expect((await open(org, 'POST', path)).status).toBe(400)
})

test('of two requests with the link at the same time, the second learns that it has been used', async () => {
  const org = await all.organization()
  const anna = await org.person({ email: 'twice.old@example.com' })
  await anna.patch('/settings', { email: 'twice.new@example.com' })
  const path = await linkFor('twice.new@example.com')
  const [first, second] = (await Promise.all([1, 2].map(() => open(org, 'POST', path)))).sort(
    (a, b) => a.status - b.status,
  )
  expect([first!.status, second!.status]).toEqual([200, 400])
  expect(second!.text).toContain('This link has been used already')
  expect(await server.awaitMails('twice.old@example.com')).toHaveLength(1)
})

test('only users who can see the address are notified of a hidden address', async () => {
  const org = await all.organization()
  const anna = await org.person({ email: 'hidden.old@example.com' })
  await anna.patch('/settings', { email_address_visibility: 3 })
  const [member, owner] = [await (await org.person()).register(), await org.owner.register()]
  await anna.patch('/settings', { email: 'hidden.new@example.com' })
  await open(org, 'POST', await linkFor('hidden.new@example.com'))
  expect(await member.events()).toEqual([])
  expect(await owner.events()).toMatchObject([{ person: { delivery_email: 'hidden.new@example.com' } }])
})

test('an address that another user has taken in the meantime is not assigned', async () => {
  const org = await all.organization()
  const [anna, ben] = [
    await org.person({ email: 'race.a@example.com' }),
    await org.person({ email: 'race.b@example.com' }),
  ]
  for (const person of [anna, ben]) await person.patch('/settings', { email: 'wanted@example.com' })
  const paths = (await server.awaitMails('wanted@example.com', 2)).map((mail) =>
    linkIn(mail, '/accounts/confirm_new_email/'),
  )
  const answers = await Promise.all(paths.map((path) => open(org, 'POST', path)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('the change may be disabled, and its mails are limited', async () => {
  const org = await all.organization()
  const anna = await org.person()
  await org.owner.patch('/realm', { email_changes_disabled: true })
  expect((await anna.patch('/settings', { email: 'b1@example.com' })).body).toEqual({
    result: 'error',
    msg: 'Email address changes are disabled in this organization.',
    code: 'BAD_REQUEST',
  })
  const changes = [1, 2, 3].map((i) => org.owner.patch('/settings', { email: `owner${i}@new.example.com` }))
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 200, 429])
})

test('a link from before the organization disabled the change is invalid', async () => {
  const org = await all.organization()
  const anna = await org.person()
  await anna.patch('/settings', { email: 'toolate@example.com' })
  const path = await linkFor('toolate@example.com')
  await org.owner.patch('/realm', { email_changes_disabled: true })
  expect((await open(org, 'POST', path)).status).toBe(400)
  expect(org.state.users.require(anna.id).delivery_email).toBe(anna.email)
})

test('a user of the old password cannot return through an address that they requested', async () => {
  const org = await all.organization()
  const anna = await org.person({ email: 'owned@example.com' })
  await anna.patch('/settings', { email: 'thief@example.com' })
  const theirs = await linkFor('thief@example.com')
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  const post = (path: string, body: string) => send(org.place, { method: 'POST', path, headers: form, body })
  await post('/accounts/password/reset', `email=${anna.email}`)
  const reset = linkIn(await server.awaitMail(anna.email), '/accounts/password/reset/')
  expect((await post(reset, 'password=all new 99')).status).toBe(303)
  expect((await open(org, 'POST', theirs)).status).toBe(400)
  expect(org.state.users.require(anna.id).delivery_email).toBe(anna.email)
})

test.each(['a deactivation', 'a new address'])('no link from before %s is valid after it', async (cause) => {
  const org = await all.organization()
  const name = cause.replaceAll(' ', '.')
  const anna = await org.person({ email: `${name}@example.com` })
  await anna.patch('/settings', { email: `${name}.thief@example.com` })
  const theirs = await linkFor(`${name}.thief@example.com`)
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  const post = (path: string, body: string) => send(org.place, { method: 'POST', path, headers: form, body })
  await post('/accounts/password/reset', `email=${anna.email}`)
  const reset = linkIn(await server.awaitMail(anna.email), '/accounts/password/reset/')

  if (cause === 'a deactivation') {
    await org.owner.delete(`/users/${anna.id}`)
    await org.owner.post(`/users/${anna.id}/reactivate`)
  } else {
    await org.log.commit((change) =>
      change.update('account', { id: org.owner.id, can_change_user_emails: true }),
    )
    await org.owner.patch(`/users/${anna.id}`, { new_email: `${name}.safe@example.com` })
  }
  const address = org.state.users.require(anna.id).delivery_email
  expect((await open(org, 'POST', theirs)).status).toBe(400)
  expect((await post(reset, 'password=all new 99')).status).toBe(400)
  expect(org.state.users.require(anna.id).delivery_email).toBe(address)
})

test('the old address is notified when an owner changes a user’s address', async () => {
  const org = await all.organization()
  const anna = await org.person({ email: 'given.old@example.com' })
  await org.log.commit((change) =>
    change.update('account', { id: org.owner.id, can_change_user_emails: true }),
  )
  const answer = await org.owner.patch(`/users/${anna.id}`, { new_email: 'given.new@example.com' })
  expect(answer.body).toEqual(success)
  expect((await server.awaitMail('given.old@example.com')).text).toContain('given.new@example.com')
})
