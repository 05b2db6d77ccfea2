import { expect, test } from 'vitest'
import { messagesOf } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'

const { organization, pass } = testServer()

let ahead = 0
const inAnHour = () => Math.floor(Date.now() / 1000) + ahead + 3_600

function wait() {
  ahead += 3_700
  pass(3_700)
}

async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization(), { name: 'a channel' })
  const send = async (content: string, more: object = {}): Promise<number> =>
    (await anna.post('/messages', { type: 'channel', to: channel.id, topic: 'x.y', content, ...more })).body
      .id
  return { org, anna, ben, channel, send }
}

async function remind(who: Person, message_id: number): Promise<number> {
  const params = { message_id, scheduled_delivery_timestamp: inAnHour() }
  return (await who.post('/reminders', params)).body.reminder_id
}

const newest = async (who: Person) => (await messagesOf(who)).at(-1)!

test('creates and deletes reminders and updates the user’s other clients', async () => {
  const { anna, ben, send } = await setting()
  const message = await send('hello')
  const [mine, hers] = [await ben.register(), await anna.register()]
  const id = await remind(ben, message)
  const view = {
    reminder_id: id,
    type: 'private',
    to: [ben.id],
    content: expect.stringContaining('You requested a reminder for the following message.'),
    rendered_content: expect.stringContaining('<p>hello</p>'),
    scheduled_delivery_timestamp: expect.any(Number),
    failed: false,
    reminder_target_message_id: message,
  }
  expect(await mine.events()).toMatchObject([{ type: 'reminders', op: 'add', reminders: [view] }])
  await mine.expectStateToMatch()
  expect((await ben.get('/reminders')).body.reminders).toEqual([view])
  expect((await ben.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
  const missing = { status: 404, body: { code: 'BAD_REQUEST', msg: 'Reminder does not exist' } }
  expect(await anna.delete(`/reminders/${id}`)).toMatchObject(missing)
  expect((await ben.delete(`/reminders/${id}`)).body).toEqual({ result: 'success', msg: '' })
  expect(await ben.delete(`/reminders/${id}`)).toMatchObject(missing)
  expect(await mine.events()).toMatchObject([{ op: 'remove', reminder_id: id }])
  await mine.expectStateToMatch()
  expect(await hers.events()).toEqual([])
})

test('when a reminder is due, the bot quotes the message once', async () => {
  const { org, anna, ben, channel, send } = await setting()
  const id = await send('some\n```\ncode\n```')
  const client = await ben.register()
  const reminder = await remind(ben, id)
  wait()
  await expect.poll(async () => (await newest(ben)).sender_full_name).toBe('Notification Bot')
  const said = (await newest(ben)).content
  const url = `http://${ben.place.host}`
  expect(said).toBe(
    [
      'You requested a reminder for the following message.',
      '',
      `@_**Anna|${anna.id}** [said](${url}/#narrow/channel/${channel.id}-a-channel/topic/x.2Ey/near/${id}) in #**a channel>x.y@${id}**:`,
      '````quote',
      'some\n```\ncode\n```',
      '````',
    ].join('\n'),
  )
  const heard = await client.events()
  expect(heard.slice(-2)).toMatchObject([
    { type: 'message', message: { type: 'private', content: expect.stringContaining('<blockquote>') } },
    { type: 'reminders', op: 'remove', reminder_id: reminder },
  ])
  expect(heard.at(-2)!.flags).not.toContain('mentioned')
  await client.expectStateToMatch()
  expect((await newest(anna)).sender_id).toBe(anna.id)
  expect((await newest(org.owner))?.sender_full_name).not.toBe('Notification Bot')
})

test('a reminder names the participants of a direct message, and only states that a poll is a poll', async () => {
  const { anna, ben, send } = await setting()
  await remind(ben, await send('psst', { type: 'direct', to: [ben.id] }))
  await remind(ben, await send('/poll Lunch?\nyes'))
  const contents = (await ben.get('/reminders')).body.reminders.map((one: { content: string }) => one.content)
  expect(contents[0]).toMatch(/^You requested a reminder for the following direct message\.\n\n/)
  expect(contents[0]).toContain(` to @_**Ben|${ben.id}**:`)
  expect(contents[0]).toContain(`/#narrow/dm/${[anna.id, ben.id].sort((a, b) => a - b)}-dm/near/`)
  expect(contents[1]).toMatch(/\) a poll in #\*\*a channel>x\.y@\d+\*\*\.$/)
})

test('truncates a long message so that the reminder can be sent', async () => {
  const { ben, send } = await setting()
  await remind(ben, await send('y'.repeat(messageLimits.messageLength)))
  const [{ content }] = (await ben.get('/reminders')).body.reminders
  expect(content).toHaveLength(messageLimits.messageLength)
  expect(content).toMatch(/y\n\[message truncated\]\n```+$/)
})

test('a reminder reveals no message that the user may no longer read', async () => {
  const { org, anna, ben } = await setting()
  const closed = await org.channel({ subscribers: [anna, ben], isPrivate: true })
  const sent = await anna.post('/messages', { type: 'channel', to: closed.id, topic: 't', content: 'secret' })
  await remind(ben, sent.body.id)
  await ben.delete('/users/me/subscriptions', { subscriptions: [closed.name] })
  wait()
  await expect
    .poll(async () => (await newest(ben))?.content)
    .toBe('You requested a reminder for a message that is no longer available to you.')
})

test('a reminder does not reveal the author to guests who may not see them', async () => {
  const { org, anna, channel, send } = await setting()
  const guest = await org.person({ role: 'guest' })
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [guest.id],
  })
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const id = await send('hello')
  await anna.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  expect((await guest.get(`/messages/${id}`)).body.message.sender_full_name).toBe('Unknown user')
  await remind(guest, id)
  const [{ content }] = (await guest.get('/reminders')).body.reminders
  expect(content).toContain('\n\nUnknown user [said](')
  expect(content).not.toContain('Anna')
})

test('a reminder does not name the users whom its reader may not see', async () => {
  const { org, anna, channel } = await setting()
  const guest = await org.person({ role: 'guest' })
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [guest.id],
  })
  const hidden = await org.person({ name: 'Wombat' })
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const content = `@_**|${hidden.id}**`
  const message = { type: 'channel', to: channel.id, topic: 't', content }
  await remind(guest, (await guest.post('/messages', message)).body.id)
  const [{ rendered_content }] = (await guest.get('/reminders')).body.reminders
  expect(rendered_content).not.toContain('Wombat')
  await remind(anna, (await anna.post('/messages', message)).body.id)
  expect((await anna.get('/reminders')).body.reminders[0].rendered_content).toContain('>Wombat<')
  wait()
  await expect.poll(async () => (await newest(guest)).sender_full_name).toBe('Notification Bot')
  const page = { anchor: 'newest', num_before: 1, num_after: 0 }
  expect((await guest.get('/messages', page)).body.messages[0].content).not.toContain('Wombat')
})

test('rejects impossible reminders', async () => {
  const { org, anna, ben } = await setting()
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  const sent = await anna.post('/messages', { type: 'channel', to: closed.id, topic: 't', content: 'x' })
  const ask = async (params: object) => (await ben.post('/reminders', { ...params })).body.msg
  const future = inAnHour()
  expect(await ask({ message_id: sent.body.id, scheduled_delivery_timestamp: future })).toBe(
    'Invalid message(s)',
  )
  expect(await ask({ message_id: 99_999_999, scheduled_delivery_timestamp: future })).toBe(
    'Invalid message(s)',
  )
  expect(await ask({ message_id: sent.body.id, scheduled_delivery_timestamp: 1 })).toBe(
    'Scheduled delivery time must be in the future.',
  )
  expect(await ask({ scheduled_delivery_timestamp: future })).toBe("Missing 'message_id' argument")
  expect(await ask({ message_id: 1 })).toBe("Missing 'scheduled_delivery_timestamp' argument")
})
