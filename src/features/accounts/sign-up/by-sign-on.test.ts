import { expect, test } from 'vitest'
import { testServer } from '../../../../test/test-server.ts'

// A directory that contains Dora, on a server that creates no accounts by itself.
const dora = { email: 'dora@example.com', name: 'Dora Diaz', password: 'swordfish 12' }
const directory = {
  async check(username: string, password: string) {
    if (username !== 'dora' || password !== dora.password) return undefined
    const { email, name } = dora
    return { method: 'LDAP' as const, link: null, email, isEmailVerified: true, name, groups: [] }
  },
}
const all = testServer({ adapters: { signOn: { directory } } })

test('an invited user of the directory joins with the content of the invitation', async () => {
  const org = await all.organization()
  const channel = await org.channel()
  const logIn = async () => {
    return (await org.visitor.post('/fetch_api_key', { username: 'dora', password: dora.password })).body
  }
  expect((await logIn()).msg).toContain('Ask for an invitation.')
  const terms = { stream_ids: [channel.id], invite_as: 600 }
  await org.owner.post('/invites', { invitee_emails: dora.email, ...terms })
  const { user_id } = await logIn()
  expect(org.state.users.get(user_id)).toMatchObject({ role: 600, full_name: dora.name })
  expect(org.state.subscription(user_id, channel.id)).toBeDefined()
  expect((await org.owner.get('/invites')).body.invites).toEqual([])
})

test('by a link, nobody gets an account under the address of a user of the directory without confirming it', async () => {
  const org = await all.organization()
  const { invite_link } = (await org.owner.post('/invites/multiuse', {})).body
  const invite_key = new URL(invite_link).pathname.split('/')[2]
  const { body } = await org.visitor.post('/rookery/sign_ups', { email: dora.email, invite_key })
  expect(body).toEqual({ result: 'success', msg: '' })
})
