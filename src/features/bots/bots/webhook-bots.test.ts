import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast } from '../../../../test/organization.ts'
import { testServer } from '../../../../test/test-server.ts'

const all = testServer()

const url = 'https://hooks.example.com/echo?x=1'
const echo = { full_name: 'Echo', short_name: 'echo', bot_type: 3, payload_url: JSON.stringify(url) }

const setting = async () => cast(await all.organization())

test('only its owner and administrators see the service of an outgoing webhook', async () => {
  const { admin, anna, ben } = await setting()
  const clients = await Promise.all([anna, admin, ben].map((person) => person.register()))
  const { user_id: id } = (await anna.post('/bots', { ...echo, interface_type: 2 })).body
  const [own, administrators, others] = await Promise.all(clients.map((client) => client.events()))
  const services = [{ base_url: url, interface: 2, token: expect.stringMatching(/^\w{32}$/) }]
  for (const events of [own, administrators]) {
    expect(events!.at(-1)).toMatchObject({
      type: 'realm_bot',
      op: 'add',
      bot: { user_id: id, bot_type: 3, services },
    })
  }
  expect(JSON.stringify(others)).not.toContain('hooks.example.com')
  expect((await anna.post('/register')).body.realm_bots).toMatchObject([{ user_id: id, services }])
  expect((await ben.post('/register')).body.realm_bots).toEqual([])
  for (const client of clients) await client.expectStateToMatch()
})

test('its address and format can be changed, and its token stays', async () => {
  const { anna, ben } = await setting()
  const { user_id: id } = (await anna.post('/bots', echo)).body
  const client = await anna.register()
  const [{ services: before }] = client.state.realm_bots
  const moved = 'http://hooks.example.com/other'
  const changes = { service_payload_url: JSON.stringify(moved), service_interface: 2 }
  expect((await anna.patch(`/bots/${id}`, changes)).body).toMatchObject({
    ...success,
    service_payload_url: moved,
    service_interface: 2,
  })
  expect(await client.events()).toMatchObject([
    {
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: id, services: [{ base_url: moved, interface: 2, token: before[0].token }] },
    },
  ])
  expect((await anna.patch(`/bots/${id}`, changes)).body).toMatchObject(success)
  expect(await client.events()).toEqual([])
  await client.expectStateToMatch()
  const refusal = async (params: object) => (await anna.patch(`/bots/${id}`, { ...params })).body.msg
  expect(await refusal({ service_interface: 3 })).toBe('Invalid interface type')
  expect(await refusal({ service_payload_url: moved })).toBe('service_payload_url is not valid JSON')
  for (const bad of [
    '',
    'hooks',
    'ftp://example.com/',
    'https://me:pass@example.com/',
    `https://example.com/${'x'.repeat(2_000)}`,
  ]) {
    expect(await refusal({ service_payload_url: JSON.stringify(bad) })).toBe(
      'service_payload_url is not a URL',
    )
  }
  expect((await ben.patch(`/bots/${id}`, changes)).body.msg).toBe('Insufficient permission')
  expect(await client.events()).toEqual([])
})

test('rejects invalid new webhooks', async () => {
  const { anna } = await setting()
  const refusal = async (params: object) => (await anna.post('/bots', { ...echo, ...params })).body.msg
  expect(await refusal({ payload_url: undefined })).toBe('payload_url is not a URL')
  expect(await refusal({ payload_url: 5 })).toBe('payload_url is not a string')
  expect(await refusal({ interface_type: 0 })).toBe('Invalid interface type')
  const incoming = { bot_type: 2, service_name: 'github' }
  expect(await refusal({ ...incoming, service_name: 'nothing' })).toBe("Invalid integration 'nothing'.")
  expect(await refusal({ ...incoming, config_data: { other: 'x' } })).toBe(
    "Invalid configuration parameter 'other'.",
  )
  expect(await refusal({ ...incoming, config_data: { webhook_secret: 5 } })).toMatch(/is not a string/)
  expect(await refusal({ ...incoming, config_data: { webhook_secret: 'x'.repeat(10_000) } })).toBe(
    'config_data is too long',
  )
  expect((await anna.post('/register')).body.realm_bots).toEqual([])
})

test('the settings of an incoming webhook bot are not published', async () => {
  const { org, anna } = await setting()
  const client = await anna.register()
  const config_data = { webhook_secret: 'hush' }
  const params = { full_name: 'Hub', short_name: 'hub', bot_type: 2, service_name: 'github', config_data }
  const { user_id: id } = (await anna.post('/bots', params)).body
  expect(org.state.botServices.get(id)).toMatchObject({ name: 'github', config: config_data })
  expect(JSON.stringify(await client.events())).not.toContain('hush')
  expect((await anna.post('/register')).body.realm_bots).toMatchObject([{ user_id: id, services: [] }])
  await anna.patch(`/bots/${id}`, { config_data: {} })
  expect(org.state.botServices.require(id).config).toEqual({})
  await client.expectStateToMatch()
})

test('another node knows the services', async () => {
  const { anna } = await setting()
  const { user_id: id } = (await anna.post('/bots', echo)).body
  const there = anna.at({ ...anna.place, port: (await all.anotherNode()).port })
  expect((await there.post('/register')).body.realm_bots).toMatchObject([
    { user_id: id, services: [{ base_url: url }] },
  ])
})
