import { expect, test } from 'vitest'
import { contentsOf, sender } from '../../../../test/messages.ts'
import { cast } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

type Params = Record<string, unknown>

async function setting() {
  const people = await cast(await organization())
  const { org, anna } = people
  const [alarms, chatter] = [
    await org.channel({ name: 'alarms', subscribers: [anna] }),
    await org.channel({ name: 'chatter', subscribers: [anna] }),
  ]
  const bot = async (params: Params) => {
    const { body } = await anna.post('/bots', { full_name: 'Siren', short_name: 'siren', ...params })
    const email = org.state.users.require(body.user_id).delivery_email
    return new Person(org.place, { id: body.user_id, name: 'Siren', email, key: body.api_key })
  }
  return { ...people, alarms, chatter, bot }
}

/** Returns what a client with such a queue receives of a message to each of the two channels. */
async function heard(
  { anna, alarms, chatter }: Awaited<ReturnType<typeof setting>>,
  bot: Person,
  params: Params,
) {
  const client = await bot.register({ event_types: ['message'], ...params })
  await sender(anna, alarms)('t', 'fire')
  await sender(anna, chatter)('t', 'lunch')
  return (await client.events()).map((event) => event.message.content)
}

test('a bot writes to its default channel when the request names none', async () => {
  const { org, anna, alarms, chatter, bot } = await setting()
  const siren = await bot({ default_sending_stream: 'alarms' })
  const say = async (params: Params) =>
    (await siren.post('/messages', { type: 'channel', topic: 't', content: 'x', ...params })).body
  expect(await say({ content: 'fire' })).toMatchObject({ result: 'success' })
  expect(await say({ type: 'stream', content: 'out' })).toMatchObject({ result: 'success' })
  expect(await say({ to: chatter.name, content: 'lunch' })).toMatchObject({ result: 'success' })
  expect(await contentsOf(anna, alarms)).toEqual([
    ['t', 'fire'],
    ['t', 'out'],
  ])
  expect(await contentsOf(anna, chatter)).toEqual([['t', 'lunch']])
  expect((await say({ to: '' })).msg).toBe("Channel name can't be empty")
  expect((await say({ topic: undefined })).msg).toBe('Missing topic')
  expect((await say({ type: 'direct' })).msg).toBe('Message must have recipients')
  await org.owner.delete(`/streams/${alarms.id}`)
  expect((await say({})).msg).toBe("Not authorized to send to channel 'alarms'")
  await anna.patch(`/bots/${siren.id}`, { default_sending_stream: '' })
  expect((await say({})).msg).toBe('Missing channel')
})

test("a bot's queue is limited to its default channel unless the request has a narrow", async () => {
  const at = await setting()
  const siren = await at.bot({ default_events_register_stream: 'alarms' })
  for (const name of ['alarms', 'chatter']) {
    await at.anna.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [siren.id] })
  }
  expect(await heard(at, siren, {})).toEqual(['<p>fire</p>'])
  expect(await heard(at, siren, { narrow: [] })).toEqual(['<p>fire</p>'])
  expect(await heard(at, siren, { narrow: [['channel', 'chatter']] })).toEqual(['<p>lunch</p>'])
  await at.anna.patch(`/bots/${siren.id}`, { default_events_register_stream: '' })
  expect(await heard(at, siren, {})).toEqual(['<p>fire</p>', '<p>lunch</p>'])
})

test("a bot's queue has all public channels if that is its default", async () => {
  const at = await setting()
  const siren = await at.bot({ default_all_public_streams: true })
  expect(await heard(at, siren, {})).toEqual(['<p>fire</p>', '<p>lunch</p>'])
  expect(await heard(at, siren, { all_public_streams: false })).toEqual([])
  await at.anna.patch(`/bots/${siren.id}`, { default_events_register_stream: 'chatter' })
  expect(await heard(at, siren, {})).toEqual(['<p>lunch</p>'])
})

test('the defaults also apply to a queue that is created without POST /register', async () => {
  const { anna, alarms, chatter, bot } = await setting()
  const siren = await bot({ default_events_register_stream: 'alarms', default_all_public_streams: true })
  const { queue_id } = (await siren.get('/events', { dont_block: true, event_types: ['message'] })).body
  await sender(anna, alarms)('t', 'fire')
  await sender(anna, chatter)('t', 'lunch')
  const { body } = await siren.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  expect(body.events).toMatchObject([{ message: { content: 'fire' } }])
})

test('a bot receives nothing from a default channel that it may not read', async () => {
  const { org, anna, bot } = await setting()
  const closed = await org.channel({ name: 'closed', isPrivate: true, subscribers: [anna] })
  const siren = await bot({ default_events_register_stream: 'closed', default_all_public_streams: true })
  const client = await siren.register({ event_types: ['message'] })
  await sender(anna, closed)('t', 'secret')
  expect(await client.events()).toEqual([])
})

test('the default channels of a bot have their new names for clients that see a channel renamed', async () => {
  const { admin, anna, alarms, chatter, bot } = await setting()
  await bot({ default_sending_stream: 'alarms', default_events_register_stream: 'alarms' })
  const clients = [await anna.register(), await admin.register()]
  await admin.patch(`/streams/${alarms.id}`, { new_name: 'sirens' })
  await admin.patch(`/streams/${chatter.id}`, { new_name: 'talk' })
  for (const client of clients) await client.expectStateToMatch()
  expect((await anna.register()).state.realm_bots).toMatchObject([
    { default_sending_stream: 'sirens', default_events_register_stream: 'sirens' },
  ])
})
