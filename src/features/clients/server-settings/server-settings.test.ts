import { expect, test } from 'vitest'
import { basic, Caller } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('any caller learns the organization and how to log in', async () => {
  const org = await organization()
  const { status, body } = await org.visitor.get('/server_settings')
  const url = `http://${org.place.host}`
  expect(status).toBe(200)
  expect(body).toMatchObject({
    result: 'success',
    authentication_methods: { password: true, email: true, ldap: false },
    email_auth_enabled: true,
    require_email_format_usernames: true,
    external_authentication_methods: [],
    zulip_feature_level: 407,
    realm_name: org.state.row.name,
    realm_url: url,
    realm_uri: url,
    realm_icon: expect.stringMatching(/^\/user_avatars\/\d+\/drawn\/o\d+\.png/),
    realm_description: '',
  })
  expect(body.zulip_version).not.toBe('')
})

test('credentials are ignored, even invalid ones', async () => {
  const org = await organization()
  for (const authorization of [basic(org.owner.email, org.owner.key), basic('a@b.c', 'bad'), 'nonsense']) {
    const { status } = await org.visitor.get('/server_settings', {}, { headers: { authorization } })
    expect(status).toBe(200)
  }
})

test('the description is rendered', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { description: 'Where **we** talk <script>' })
  const { body } = await org.visitor.get('/server_settings')
  expect(body.realm_description).toBe('<p>Where <strong>we</strong> talk &lt;script&gt;</p>')
})

test('a host without an organization has no settings', async () => {
  const org = await organization()
  const nowhere = { ...org.place, host: 'nowhere.chat.test' }
  const { status, body } = await new Caller(nowhere).get('/server_settings')
  expect({ status, ...body }).toMatchObject({ status: 404, code: 'NONEXISTENT_SUBDOMAIN' })
})
