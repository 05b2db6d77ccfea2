import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('the organization decides whose addresses may join', async () => {
  const org = await organization()
  await org.owner.post('/realm/domains', { domain: 'example.org', allow_subdomains: false })
  await org.owner.post('/realm/domains', { domain: 'example.net', allow_subdomains: true })
  const errors = async (invitee_emails: string) => {
    return (await org.owner.post('/invites', { invitee_emails, stream_ids: [] })).body.errors ?? []
  }
  expect(await errors('a@sub.mailinator.com')).toEqual([
    ['a@sub.mailinator.com', 'Please use your real email address.', false],
  ])
  expect(await errors('a+b@example.com')).toEqual([])
  await org.owner.patch('/realm', { emails_restricted_to_domains: true })
  expect(await errors('a@example.com, a@sub.example.org, a+b@example.org')).toEqual([
    ['a@example.com', 'Outside your domain.', false],
    ['a@sub.example.org', 'Outside your domain.', false],
    ['a+b@example.org', 'Email addresses containing + are not allowed.', false],
  ])
  expect(await errors('a@EXAMPLE.org, b@example.net, c@deep.sub.example.net')).toEqual([])
  const dora = { email: 'dora@example.com', full_name: 'Dora', password: 'swordfish 12' }
  const create = async (email: string) => (await org.owner.post('/users', { ...dora, email })).body.msg
  await org.log.commit((change) =>
    change.update('account', { id: org.owner.id, can_create_users: true, can_change_user_emails: true }),
  )
  expect(await create('dora@example.com')).toBe("Email 'dora@example.com' not allowed in this organization")
  expect(await create('do+ra@example.org')).toBe('Email addresses containing + are not allowed.')
  expect(await create('dora@example.org')).toBe('')
  const bob = await org.person({ email: 'bob@example.org' })
  expect((await org.owner.patch(`/users/${bob.id}`, { new_email: 'bob@example.com' })).body.msg).toBe(
    'New email value error: Outside your domain.',
  )
})
