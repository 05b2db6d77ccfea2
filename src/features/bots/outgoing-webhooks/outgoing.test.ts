import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { jobsOf } from '../../../../test/jobs.ts'
import { direct, messagesAfter, sendTo } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { withResolvers } from '../../../../test/with-resolvers.ts'
import { safeFetch } from '../../../adapters/safe-fetch.ts'
import { outgoingLimits as limits } from './limits.ts'

// This machine stands for the internet. Another of its addresses stands for addresses that webhooks may not reach.
const here = safeFetch({ mayReach: (address) => address === '127.0.0.1' })
const all = testServer({ adapters: { webhookFetch: here } })
const servers: Server[] = []

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

type Heard = { headers: IncomingHttpHeaders; body: string }
type Said = { status?: number; headers?: Record<string, string>; body?: unknown }

/** Starts a webhook: its `url`, the requests that it has `heard`, and its response to each. */
async function webhook(say: (heard: Heard, count: number) => Said | Promise<Said>) {
  const heard: Heard[] = []
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (piece) => {
      body += piece
    })
    incoming.on('end', async () => {
      heard.push({ headers: incoming.headers, body })
      const said = await say(heard.at(-1)!, heard.length)
      const text = typeof said.body === 'string' ? said.body : JSON.stringify(said.body ?? {})
      outgoing.writeHead(said.status ?? 200, said.headers).end(text)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

async function setting(url: string, bot: object = {}) {
  const { org, anna, ben, channel } = await annaAndBen(await all.organization(), { name: 'lab' })
  const params = {
    full_name: 'Echo',
    short_name: 'echo',
    bot_type: 3,
    payload_url: JSON.stringify(url),
    ...bot,
  }
  const { body } = await anna.post('/bots', params)
  expect(body).toMatchObject({ result: 'success' })
  return { org, anna, ben, channel, botId: body.user_id as number }
}

/** Writes to the channel of the bot. */
const say = (person: Person, content: string) => sendTo(person, 'lab', 'tests', content)

/** Advances the time until there is a result, while no request is under way: a node owns one for some seconds only. */
async function come<T>(look: () => Promise<T[]> | T[], count = 1): Promise<T[]> {
  for (let tries = 0; tries < 60; tries++) {
    const found = await look()
    if (found.length >= count) return found
    all.pass(5)
    await all.workOff()
  }
  return look()
}

test('a mentioned bot posts the reply of its webhook in the topic', async () => {
  const { heard, url } = await webhook(() => ({ body: { content: '@**Anna** You *said* it.' } }))
  const { ben, anna, botId, channel } = await setting(url)
  await ben.patch('/settings', { email_address_visibility: 4 })
  const id = await say(ben, 'Hi @**Echo**, what is up?')
  const [reply] = await come(() => messagesAfter(ben, id))
  expect(reply).toMatchObject({
    sender_id: botId,
    stream_id: channel.id,
    subject: 'tests',
    content: '@**Anna** You *said* it.',
    client: 'OutgoingWebhookResponse',
  })
  const { realm_bots: bots, user_topics: followed } = (await anna.post('/register')).body
  const [{ services }] = bots
  expect(followed).toMatchObject([{ topic_name: 'tests', visibility_policy: 3 }])
  expect(heard).toHaveLength(1)
  expect(heard[0]!.headers['content-type']).toBe('application/json')
  expect(JSON.parse(heard[0]!.body)).toEqual({
    bot_email: expect.stringContaining('echo-bot@'),
    bot_full_name: 'Echo',
    data: 'Hi @**Echo**, what is up?',
    token: services[0].token,
    trigger: 'mention',
    message: expect.objectContaining({
      id,
      type: 'stream',
      stream_id: channel.id,
      display_recipient: 'lab',
      subject: 'tests',
      sender_id: ben.id,
      sender_full_name: 'Ben',
      sender_email: `user${ben.id}@${ben.place.host}`,
      content: 'Hi @**Echo**, what is up?',
      rendered_content: expect.stringContaining(`data-user-id="${botId}"`),
    }),
  })
})

test('in direct messages, all participants receive the reply', async () => {
  const { heard, url } = await webhook(() => ({ body: { response_string: 'Heard.' } }))
  const { anna, ben, botId } = await setting(url)
  const id = await direct(ben, [{ id: botId }, anna], 'Are you there?')
  const [reply] = await come(() => messagesAfter(anna, id))
  expect(reply).toMatchObject({ sender_id: botId, content: 'Heard.', type: 'private' })
  expect(reply!.display_recipient.map((one: { id: number }) => one.id).sort()).toEqual(
    [anna.id, ben.id, botId].sort(),
  )
  expect(JSON.parse(heard[0]!.body)).toMatchObject({
    trigger: 'direct_message',
    message: { type: 'private' },
  })
})

test('supports Slack’s format', async () => {
  const { heard, url } = await webhook(() => ({ body: { text: 'Done.' } }))
  const { org, ben, botId, channel } = await setting(url, { interface_type: 2 })
  const id = await say(ben, '@**Echo** deploy')
  const [reply] = await come(() => messagesAfter(ben, id))
  expect(reply).toMatchObject({ sender_id: botId, content: 'Done.' })
  expect(Object.fromEntries(new URLSearchParams(heard[0]!.body))).toEqual({
    token: org.state.botServices.require(botId).token,
    team_id: `T${org.id}`,
    team_domain: expect.stringContaining('chat.test'),
    channel_id: `C${channel.id}`,
    channel_name: 'lab',
    thread_ts: expect.stringMatching(/^\d+$/),
    timestamp: expect.stringMatching(/^\d+$/),
    user_id: `U${ben.id}`,
    user_name: 'Ben',
    text: '@**Echo** deploy',
    trigger_word: 'mention',
    service_id: String(botId),
  })
})

test('posts nothing if the webhook has no reply, or if no message is addressed to the bot', async () => {
  const { heard, url } = await webhook((_, count) => ({
    body: [{ response_not_required: true, content: 'x' }, '', { content: ' ' }][count - 1] ?? {},
  }))
  const { org, anna, ben, botId } = await setting(url)
  await say(ben, 'Hello, everybody, and @_**Echo** in silence')
  const other = (await anna.post('/bots', { full_name: 'Parrot', short_name: 'parrot' })).body
  const parrot = {
    authorization: `Basic ${btoa(`${org.state.users.require(other.user_id).delivery_email}:${other.api_key}`)}`,
  }
  const sent = { type: 'direct', to: JSON.stringify([botId]), content: 'From bot to bot' }
  const fromBot = await org.visitor.post('/messages', sent, { headers: parrot })
  expect(fromBot.body).toMatchObject({ result: 'success' })
  const secret = await org.channel({ name: 'vault', isPrivate: true, subscribers: [ben] })
  await ben.post('/messages', { type: 'channel', to: secret.id, topic: 'x', content: '@**Echo** a secret' })
  let last = 0
  for (let i = 0; i < 3; i++) last = await say(ben, '@**Echo** hello')
  await come(() => heard, 3)
  await expect.poll(() => jobsOf(org, 'outgoing')).toEqual([])
  expect(heard).toHaveLength(3)
  expect(heard.map(({ body }) => JSON.parse(body).data)).toEqual(Array(3).fill('@**Echo** hello'))
  expect(await messagesAfter(ben, last)).toEqual([])
})

test('retries a webhook that fails temporarily, and posts its reply once', async () => {
  const { heard, url } = await webhook((_, count) =>
    count < 3 ? { status: 503 } : { body: { content: 'Back.' } },
  )
  const { org, ben } = await setting(url)
  const id = await say(ben, '@**Echo** are you there?')
  await come(() => messagesAfter(ben, id))
  expect(heard).toHaveLength(3)
  expect((await messagesAfter(ben, id)).map(({ content }) => content)).toEqual(['Back.'])
  expect(await jobsOf(org, 'outgoing')).toEqual([])
})

test('a permanent failure notifies the owner and parks the request', async () => {
  const { heard, url } = await webhook(() => ({ status: 500 }))
  const { org, anna, ben } = await setting(url)
  const client = await anna.register()
  const id = await say(ben, '@**Echo** are you there?')
  const [notice] = await come(() => messagesAfter(anna, id, [{ operator: 'is', operand: 'dm' }]))
  expect(heard).toHaveLength(limits.outgoingTries)
  expect(notice).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' })
  expect(notice!.content).toContain('It answered with the status code 500.')
  expect(notice!.content).toContain(`/near/${id}`)
  expect(await jobsOf(org, 'outgoing')).toMatchObject([{ parked_at: expect.any(Number) }])
  await client.expectStateToMatch()
})

test.each([
  ['says no', () => ({ status: 404 }), 'It answered with the status code 404.'],
  ['returns invalid JSON', () => ({ body: 'Hello!' }), 'Its answer is not valid JSON.'],
  ['returns too much', () => ({ body: 'x'.repeat(limits.outgoingAnswer + 1) }), 'The answer has more than'],
  [
    'leads into the network of the server',
    () => ({ status: 307, headers: { location: 'http://127.0.0.2:9/' } }),
    '127.0.0.2 is not on the public internet',
  ],
])('does not retry a webhook that %s', async (_, said, reason) => {
  const { heard, url } = await webhook(said)
  const { anna, ben } = await setting(url)
  const id = await say(ben, '@**Echo** are you there?')
  const [notice] = await come(() => messagesAfter(anna, id, [{ operator: 'is', operand: 'dm' }]))
  expect(notice!.content).toContain(reason)
  expect(heard).toHaveLength(1)
})

test('never contacts a private address', async () => {
  const { anna, ben } = await setting('http://127.0.0.2:9/hook')
  const id = await say(ben, '@**Echo** are you there?')
  const [notice] = await come(() => messagesAfter(anna, id, [{ operator: 'is', operand: 'dm' }]))
  expect(notice!.content).toContain('127.0.0.2 is not on the public internet')
})

test('a slow webhook delays neither other bots nor other messages', async () => {
  const end = withResolvers()
  onTestFinished(end.resolve)
  const slow = await webhook(() => end.promise.then(() => ({})))
  const quick = await webhook(() => ({ body: { content: 'Quick.' } }))
  const { anna, ben } = await setting(slow.url, { full_name: 'Snail', short_name: 'snail' })
  await anna.post('/bots', {
    full_name: 'Hare',
    short_name: 'hare',
    bot_type: 3,
    payload_url: JSON.stringify(quick.url),
  })
  for (let i = 0; i < 3 * limits.concurrentOutgoingPerBot; i++) await say(ben, '@**Snail** hello')
  await expect.poll(() => slow.heard.length).toBe(limits.concurrentOutgoingPerBot)
  const id = await say(ben, '@**Hare** hello')
  await expect.poll(() => messagesAfter(ben, id)).toHaveLength(1)
  expect(slow.heard).toHaveLength(limits.concurrentOutgoingPerBot)
})

test('a bot that may no longer post, or was deactivated in the meantime, posts nothing', async () => {
  let open = (_: Said) => {}
  const { heard, url } = await webhook(
    () =>
      new Promise<Said>((resolve) => {
        open = resolve
      }),
  )
  const { org, anna, ben, botId, channel } = await setting(url)
  const id = await say(ben, '@**Echo** hello')
  await expect.poll(() => heard.length).toBe(1)
  const moderators = { new: org.group('role:moderators') }
  await org.owner.patch(`/streams/${channel.id}`, { can_send_message_group: moderators })
  open({ body: { content: 'Too late.' } })
  const [notice] = await come(() => messagesAfter(anna, id, [{ operator: 'is', operand: 'dm' }]))
  expect(notice!.content).toContain('You do not have permission to post in this channel.')
  expect(await messagesAfter(ben, id, [{ operator: 'sender', operand: botId }])).toEqual([])
  await direct(ben, [{ id: botId }], 'hello again')
  await expect.poll(() => heard.length).toBe(2)
  await anna.delete(`/bots/${botId}`)
  open({ body: { content: 'Too late.' } })
  await come(async () => ((await jobsOf(org, 'outgoing')).length === 1 ? [true] : []))
  expect(await jobsOf(org, 'outgoing')).toHaveLength(1)
  expect(await messagesAfter(ben, id, [{ operator: 'sender', operand: botId }])).toEqual([])
})
