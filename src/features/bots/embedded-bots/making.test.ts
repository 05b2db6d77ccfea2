import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast } from '../../../../test/organization.ts'
import { testServer } from '../../../../test/test-server.ts'

const all = testServer()

const later = { full_name: 'Later', short_name: 'later', bot_type: 4, service_name: 'followup' }

/** Returns Anna's bot. */
async function setting() {
  const { anna, ben } = await cast(await all.organization())
  const { body } = await anna.post('/bots', { ...later, config_data: { stream: 'todo' } })
  expect(body).toMatchObject(success)
  return { anna, ben, bot: body.user_id as number }
}

test('its owner and administrators see it with its configuration', async () => {
  const { anna, admin, ben } = await cast(await all.organization())
  const clients = await Promise.all([anna, admin, ben].map((person) => person.register()))
  const { user_id: id } = (await anna.post('/bots', later)).body
  const [own, administrators, others] = await Promise.all(clients.map((client) => client.events()))
  const services = [{ service_name: 'followup', config_data: { stream: 'followup' } }]
  for (const events of [own, administrators]) {
    expect(events!.at(-1)).toMatchObject({
      type: 'realm_bot',
      op: 'add',
      bot: { user_id: id, bot_type: 4, services },
    })
  }
  expect(others!.map(({ type }) => type)).not.toContain('realm_bot')
  expect((await anna.post('/register')).body.realm_bots).toMatchObject([{ user_id: id, services }])
  expect((await ben.post('/register')).body.realm_bots).toEqual([])
  const there = anna.at({ ...anna.place, port: (await all.anotherNode()).port })
  expect((await there.post('/register')).body.realm_bots).toMatchObject([{ user_id: id, services }])
  for (const client of clients) await client.expectStateToMatch()
})

test('its owner can change the configuration', async () => {
  const { anna, ben, bot } = await setting()
  const clients = [await anna.register(), await ben.register()]
  const change = { config_data: { stream: 'errands' } }
  expect((await anna.patch(`/bots/${bot}`, change)).body).toMatchObject({ ...success, ...change })
  const services = [{ service_name: 'followup', config_data: { stream: 'errands' } }]
  expect(await clients[0]!.events()).toMatchObject([
    { type: 'realm_bot', op: 'update', bot: { user_id: bot, services } },
  ])
  for (const same of [change, { config_data: {} }]) {
    expect((await anna.patch(`/bots/${bot}`, same)).body).toMatchObject(success)
  }
  expect((await ben.patch(`/bots/${bot}`, { config_data: { stream: 'mine' } })).body.msg).toBe(
    'Insufficient permission',
  )
  const refusal = async (config_data: object) => (await anna.patch(`/bots/${bot}`, { config_data })).body.msg
  expect(await refusal({ other: 'x' })).toBe("Invalid configuration parameter 'other'.")
  expect(await refusal({ stream: ' ' })).toBe('Missing configuration parameters: stream')
  for (const client of clients) expect(await client.events()).toEqual([])
  for (const client of clients) await client.expectStateToMatch()
})

test('rejects invalid embedded bots and users without permission', async () => {
  const { org, anna, guest } = await cast(await all.organization())
  const refusal = async (more: object, who = anna) =>
    (await who.post('/bots', { ...later, ...more })).body.msg
  expect(await refusal({ service_name: 'nothing' })).toBe('Invalid embedded bot name.')
  expect(await refusal({ service_name: undefined })).toBe('Invalid embedded bot name.')
  expect(await refusal({ config_data: { other: 'x' } })).toBe("Invalid configuration parameter 'other'.")
  expect(await refusal({ config_data: { toString: 'x' } })).toBe(
    "Invalid configuration parameter 'toString'.",
  )
  expect(await refusal({ config_data: { stream: '' } })).toBe('Missing configuration parameters: stream')
  expect(await refusal({ config_data: { stream: 'x'.repeat(10_000) } })).toBe('config_data is too long')
  expect(await refusal({ config_data: { stream: 5 } })).toMatch(/is not a string/)
  expect(await refusal({}, guest)).toBe('Not allowed for guest users')
  const administrators = { new: org.group('role:administrators') }
  await org.owner.patch('/realm', { can_create_bots_group: administrators })
  expect(await refusal({})).toBe('Insufficient permission')
  expect((await anna.post('/register')).body.realm_bots).toEqual([])
})

test('without a service_name, the short name selects the bot', async () => {
  const { anna } = await cast(await all.organization())
  const params = { full_name: 'Hello', short_name: 'helloworld', bot_type: 4 }
  expect((await anna.post('/bots', params)).body).toMatchObject(success)
})

test('clients receive the list of embedded bots', async () => {
  const { anna } = await cast(await all.organization())
  const { realm_embedded_bots } = (await anna.post('/register')).body
  expect(realm_embedded_bots).toEqual([
    { name: 'converter', config: {} },
    { name: 'followup', config: { stream: 'followup' } },
    { name: 'helloworld', config: {} },
    { name: 'notes', config: {} },
  ])
})
