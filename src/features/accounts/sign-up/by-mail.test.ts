import { expect, test } from 'vitest'
import { linkIn, worldOfMail } from '../../../../test/programs/mail-server.ts'

const { all, server } = worldOfMail()

const account = { full_name: 'Dora', password: 'swordfish 12' }

test('an invitation is mailed once, and its link creates an account', async () => {
  const org = await all.organization()
  await org.owner.post('/invites', { invitee_emails: 'dora@example.com', stream_ids: [], invite_as: 300 })
  const mail = await server.awaitMail('dora@example.com')
  expect(mail.subject).toBe(`Owner invites you to ${org.state.row.name}`)
  expect(mail.html).toContain('<a href="http://')
  const key = linkIn(mail, '/accounts/do_confirm/').split('/').at(-1)
  const { body } = await org.visitor.post(`/rookery/sign_ups/${key}`, account)
  expect(org.state.users.get(body.user_id)).toMatchObject({ role: 300, delivery_email: 'dora@example.com' })
})

test('so is the confirmation of an address for joining', async () => {
  const org = await all.organization()
  await org.owner.patch('/realm', { invite_required: false })
  await org.visitor.post('/rookery/sign_ups', { email: 'emil@example.com' })
  const key = linkIn(await server.awaitMail('emil@example.com'), '/accounts/do_confirm/')
    .split('/')
    .at(-1)
  expect((await org.visitor.post(`/rookery/sign_ups/${key}`, account)).status).toBe(200)
})

test('where mail is sent, joining by a link confirms the address', async () => {
  const org = await all.organization()
  const { invite_link } = (await org.owner.post('/invites/multiuse', {})).body
  const invite_key = new URL(invite_link).pathname.split('/')[2]
  for (const email of ['fred@example.com', org.owner.email]) {
    const { body } = await org.visitor.post('/rookery/sign_ups', { email, invite_key })
    expect(body).toEqual({ result: 'success', msg: '' })
  }
  const key = linkIn(await server.awaitMail('fred@example.com'), '/accounts/do_confirm/')
    .split('/')
    .at(-1)
  expect((await org.visitor.post(`/rookery/sign_ups/${key}`, account)).status).toBe(200)
})
