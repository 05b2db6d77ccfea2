import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { direct, sendTo } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import { phoneOf, pushed, worldOfPhones } from '../../../../test/programs/push-relay.ts'

const { all, server, cast } = worldOfPhones()

async function mayDeleteOwn(org: Organization) {
  const group = { new: org.group('role:everyone') }
  const { body } = await org.owner.patch('/realm', { can_delete_own_message_group: group })
  expect(body).toMatchObject({ result: 'success' })
}

test('a phone receives an encrypted direct message, and the notification disappears once it is read', async () => {
  const { org, anna, ben, phone, carls } = await cast()
  const id = await direct(anna, [ben], 'Are you *there*?')
  await pushed(all, org)
  expect(phone.got()).toEqual([
    {
      type: 'message',
      realm_url: `http://${anna.place.host}`,
      realm_name: expect.any(String),
      user_id: ben.id,
      message_id: id,
      time: expect.any(Number),
      reason: 'direct',
      sender_id: anna.id,
      sender_full_name: anna.name,
      sender_avatar_url: expect.stringMatching(/^http/),
      recipient_type: 'direct',
      recipient_user_ids: [anna.id, ben.id],
      content: 'Are you there?',
    },
  ])
  expect(carls.got()).toEqual([])
  expect(JSON.stringify(server.taken)).not.toContain('there')
  expect(server.taken.at(-1)).toMatchObject({ priority: 'high', push_account_id: phone.accountId })
  await ben.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await pushed(all, org)
  expect(phone.got().slice(1)).toMatchObject([{ type: 'remove', message_ids: [id] }])
})

test('notifies all phones of a user, and of other messages only as each user wants', async () => {
  const { org, anna, ben, carl, phone, carls, channel } = await cast()
  const second = await phoneOf(ben, server)
  await ben.patch('/settings', { enable_stream_push_notifications: true })
  await ben.post('/user_topics', { stream_id: channel.id, topic: 'noise', visibility_policy: 1 })
  await carl.post('/user_topics', { stream_id: channel.id, topic: 'boats', visibility_policy: 3 })
  await sendTo(anna, 'harbour', 'Boats', 'a sail')
  await sendTo(anna, 'harbour', 'Noise', 'a horn')
  await sendTo(anna, 'harbour', 'weather', 'rain')
  await sendTo(anna, 'harbour', 'noise', `@**${ben.name}|${ben.id}** a word`)
  await sendTo(anna, 'harbour', 'noise', '@**all** hands')
  await pushed(all, org)
  expect(phone.texts()).toEqual(['a sail', 'rain', expect.stringContaining('a word')])
  expect(second.texts()).toEqual(phone.texts())
  expect(carls.texts()).toEqual(['a sail', '@all hands'])
  expect(carls.got().map(({ reason }) => reason)).toEqual(['followed', 'wildcard'])
  expect(phone.got()[0]).toMatchObject({
    recipient_type: 'channel',
    channel_id: channel.id,
    channel_name: 'harbour',
    topic: 'Boats',
    reason: 'channel',
  })
})

test('notifies a phone of a mention that an edit adds, once for each message', async () => {
  const { org, anna, ben, phone } = await cast()
  await ben.patch('/settings', { automatically_follow_topics_where_mentioned: false })
  const call = `@**${ben.name}|${ben.id}**`
  const id = await sendTo(anna, 'harbour', 'boats', 'a word')
  const other = await sendTo(anna, 'harbour', 'boats', `${call} another word`)
  await pushed(all, org)
  expect(phone.got()).toMatchObject([{ message_id: other }])
  await anna.patch(`/messages/${id}`, { content: `${call} a word` })
  await anna.patch(`/messages/${other}`, { content: `another word, ${call}, @**all**` })
  await pushed(all, org)
  expect(phone.got().slice(1)).toMatchObject([{ type: 'message', message_id: id, reason: 'mention' }])
  const toBen = await direct(anna, [ben], 'hello')
  await pushed(all, org)
  await anna.patch(`/messages/${toBen}`, { content: `hello ${call}` })
  await pushed(all, org)
  expect(phone.got().slice(2)).toMatchObject([{ message_id: toBen, reason: 'direct' }])
})

test('a notification goes when an edit takes the mention back, unless the user wants all messages there', async () => {
  const { org, anna, ben, carl, phone, carls, channel } = await cast()
  await ben.patch('/settings', { automatically_follow_topics_where_mentioned: false })
  await carl.post('/user_topics', { stream_id: channel.id, topic: 'boats', visibility_policy: 3 })
  const id = await sendTo(anna, 'harbour', 'boats', '@**all** a word')
  await pushed(all, org)
  await anna.patch(`/messages/${id}`, { content: `@**${ben.name}|${ben.id}** a word` })
  await pushed(all, org)
  for (const one of [phone, carls]) expect(one.got()).toMatchObject([{ type: 'message', message_id: id }])
  await anna.patch(`/messages/${id}`, { content: 'a word' })
  await pushed(all, org)
  expect(phone.got().slice(1)).toMatchObject([{ type: 'remove', message_ids: [id] }])
  expect(carls.got()).toHaveLength(1)
})

test('sends nothing to users who muted the channel or sender, opted out, or are present', async () => {
  const { org, anna, ben, carl, phone, carls, channel } = await cast()
  const muted = { stream_id: channel.id, property: 'is_muted', value: true }
  const wanted = { stream_id: channel.id, property: 'push_notifications', value: true }
  await ben.post('/users/me/subscriptions/properties', { subscription_data: [muted, wanted] })
  await ben.patch('/settings', { enable_offline_push_notifications: false })
  await carl.patch('/settings', { enable_online_push_notifications: false })
  await carl.post('/users/me/presence', { status: 'active' })
  await direct(anna, [ben], 'not wanted')
  await sendTo(anna, 'harbour', 'boats', '@**all** in a muted channel')
  await direct(anna, [carl], 'you are there')
  await pushed(all, org)
  await carl.patch('/settings', { enable_online_push_notifications: true })
  await direct(anna, [carl], 'you want it all the same')
  await pushed(all, org)
  await carl.post(`/users/me/muted_users/${anna.id}`)
  await direct(anna, [carl], 'psst')
  await pushed(all, org)
  expect(phone.texts()).toEqual([])
  expect(carls.texts()).toEqual(['you want it all the same'])
})

test('does not notify users of messages that they cannot read, or can no longer read on delivery', async () => {
  const { org, anna, ben, carl, phone, carls } = await cast()
  const vault = await org.channel({ name: 'vault', isPrivate: true, subscribers: [anna, ben] })
  const before = server.requests
  server.fault = 'down'
  const content = `@**${ben.name}|${ben.id}** and @**${carl.name}|${carl.id}**, the code`
  await anna.post('/messages', { type: 'channel', to: vault.id, topic: 'x', content })
  const deleted = await direct(anna, [ben], 'a slip')
  await direct(anna, [ben], 'what stays')
  await expect.poll(() => server.requests).toBeGreaterThan(before)
  const left = await ben.delete('/users/me/subscriptions', { subscriptions: ['vault'] })
  expect(left.body).toMatchObject({ removed: ['vault'] })
  await mayDeleteOwn(org)
  expect((await anna.delete(`/messages/${deleted}`)).body).toMatchObject({ result: 'success' })
  server.fault = 'none'
  await pushed(all, org, 20)
  expect(phone.texts()).toEqual(['what stays'])
  expect(carls.got()).toEqual([])
})

test('shows an inaccessible sender in the same way as messages do', async () => {
  const { org, anna } = await cast()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const guest = await org.person({ role: 'guest' })
  const phone = await phoneOf(guest, server)
  await guest.post('/users/me/android_gcm_reg_id', { token: 'an old app' })
  await org.channel({ name: 'quay', subscribers: [guest] })
  const sent = { type: 'channel', to: 'quay', topic: 'boats', content: 'Look, @**all**!' }
  const { id } = (await anna.post('/messages', sent)).body
  await pushed(all, org)
  const { message } = (await guest.get(`/messages/${id}`, { client_gravatar: true })).body
  expect(message).toMatchObject({ sender_full_name: 'Unknown user', avatar_url: expect.any(String) })
  const told = {
    sender_full_name: message.sender_full_name,
    sender_avatar_url: expect.stringContaining(message.avatar_url),
  }
  expect(phone.got()).toMatchObject([told])
  const inClear = server.taken.filter(({ token }) => token === 'an old app').map(({ data }) => data)
  expect(inClear).toMatchObject([{ ...told, sender_email: message.sender_email }])
})

test('removes a notification when its message is deleted or everything is marked as read', async () => {
  const { org, anna, ben, carl, phone, carls } = await cast()
  const [first, second] = [await direct(anna, [ben], 'one'), await direct(anna, [carl], 'two')]
  await pushed(all, org)
  await mayDeleteOwn(org)
  expect((await anna.delete(`/messages/${first}`)).body).toMatchObject({ result: 'success' })
  await carl.post('/mark_all_as_read')
  await pushed(all, org)
  expect(phone.got().at(-1)).toMatchObject({ type: 'remove', message_ids: [first] })
  expect(carls.got().at(-1)).toMatchObject({ type: 'remove', message_ids: [second] })
})

test('a test notification reaches all devices of the user, and no others', async () => {
  const { org, ben, phone, carls } = await cast()
  await ben.post('/users/me/apns_device_token', { token: 'c0ffee00', appid: 'org.example.chat' })
  await ben.post('/mobile_push/test_notification')
  await pushed(all, org)
  expect(phone.got()).toMatchObject([{ type: 'test', user_id: ben.id }])
  expect(server.taken.at(-1)).toMatchObject({
    token_kind: 'apns',
    token: 'c0ffee00',
    app_id: 'org.example.chat',
    data: { event: 'test', user_id: ben.id },
  })
  expect(carls.got()).toEqual([])
})

test('an imported organization with devices sends notifications as well', async () => {
  const { org, anna, ben, phone } = await cast()
  const position = sql`SELECT 1 AS one FROM push_position WHERE realm_id = ${org.id}`
  await org.log.commit((change) => change.run(sql`DELETE FROM push_position WHERE realm_id = ${org.id}`))
  const { read } = all.node.app.realms.connections
  await expect.poll(() => read.rows(position)).toHaveLength(1)
  await direct(anna, [ben], 'Welcome')
  await pushed(all, org)
  expect(phone.texts()).toEqual(['Welcome'])
})
