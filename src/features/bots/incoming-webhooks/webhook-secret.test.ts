import { expect, test } from 'vitest'
import { encode, type Sent } from '../../../../test/http.ts'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { integrations } from '../kernel/incoming-webhooks/integrations.ts'

const { organization } = sharedServer()

async function setting(bot: Sent = {}) {
  const org = await organization()
  const anna = await org.person({ name: 'Anna' })
  const channel = await org.channel({ name: 'builds', subscribers: [anna] })
  const params = { full_name: 'Hook', short_name: 'hook', bot_type: 2, ...bot }
  const { user_id: botId, api_key: key } = (await anna.post('/bots', params)).body
  const call = (name: string, query: Sent, sent: object) =>
    org.visitor.raw({
      method: 'POST',
      path: `/api/v1/external/${name}?${encode({ api_key: key, ...query })}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
  return { org, anna, channel, botId, key, call }
}

test('a secret disables every other use of the key of its bot', async () => {
  const config_data = { webhook_secret: 'hush' }
  const { org, anna, channel, botId, key, call } = await setting({
    service_name: 'github',
    config_data,
  })
  const refused = 'Webhook signature verification failed.'
  const sent = { text: 'x', topic: 'y' }
  for (const integration of integrations.filter(({ name }) => name !== 'github')) {
    const { text } = await call(integration.name, { stream: channel.name }, sent)
    expect(text, integration.name).toContain(refused)
  }
  const email = org.state.users.require(botId).delivery_email
  const bot = new Person(org.place, { id: botId, name: 'Hook', email, key })
  const message = { type: 'channel', to: channel.id, topic: 't', content: 'c' }
  expect((await bot.post('/messages', message)).body).toMatchObject({ code: 'BAD_REQUEST', msg: refused })
  const { topics } = (await anna.get(`/users/me/${channel.id}/topics`)).body
  expect(topics).toEqual([])
  await anna.patch(`/bots/${botId}`, { config_data: {} })
  expect((await bot.post('/messages', message)).status).toBe(200)
  expect((await call('json', { stream: channel.name }, sent)).status).toBe(200)
})

test('a secret requires the integration that checks it', async () => {
  const { anna, botId } = await setting()
  const config_data = { webhook_secret: 'hush' }
  const params = { full_name: 'Two', short_name: 'two', bot_type: 2, config_data }
  const refused = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'service_name' }
  expect((await anna.post('/bots', params)).body).toMatchObject(refused)
  expect((await anna.patch(`/bots/${botId}`, { config_data })).body).toMatchObject(refused)
  expect((await anna.post('/bots', { ...params, config_data: {} })).body).toMatchObject({ result: 'success' })
})
