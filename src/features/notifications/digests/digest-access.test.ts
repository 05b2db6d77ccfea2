import { expect, test } from 'vitest'
import { day, textOf, worldOfDigests } from '../../../../test/digests.ts'
import { sender } from '../../../../test/messages.ts'
import { worldOfMail } from '../../../../test/programs/mail-server.ts'
import { quotedMessages, unchangedMessages } from './quoted-messages.ts'

const { all, server } = worldOfMail()
const { cast, digestsTo, talk, morning, digestsOf, person } = worldOfDigests(all, server)

test('leaves out what the reader has muted: topics, channels but for topics that they follow, and users', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  const [dora, quay] = [
    await person(org, 'Dora'),
    await org.channel({ name: 'quay', subscribers: [anna, ben, carl] }),
  ]
  await dora.post('/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] })
  const subscription_data = [{ stream_id: quay.id, property: 'is_muted', value: true }]
  await ben.post('/users/me/subscriptions/properties', { subscription_data })
  const policy = (stream_id: number, topic: string, visibility_policy: number) =>
    ben.post('/user_topics', { stream_id, topic, visibility_policy })
  await policy(harbour.id, 'NOISE', 1)
  await policy(quay.id, 'Cranes', 3)
  await ben.post(`/users/me/muted_users/${dora.id}`)
  for (const [channel, topic] of [
    [harbour, 'noise'],
    [harbour, 'boats'],
    [quay, 'cranes'],
    [quay, 'ropes'],
  ] as const) {
    await talk(anna, channel, topic, 2)
    await talk(anna, channel, topic)
  }
  await sender(dora, harbour)('boats', 'Dora was here')
  await sender(dora, harbour)('gossip', 'Dora said so')
  const [mail] = await digestsOf(org, ben)
  const text = textOf(mail)
  expect(text).toContain('#harbour > boats')
  expect(text).toContain('#quay > cranes')
  expect(text).not.toMatch(/noise|ropes|Dora|gossip|more message/)
  expect(textOf(digestsTo(carl)[0])).toMatch(
    /#harbour > noise[\s\S]*#quay > ropes|#quay > ropes[\s\S]*#harbour > noise/,
  )
  expect(textOf(digestsTo(carl)[0])).toContain('Dora said so')
})

test('leaves out conversations that the reader has read, and channels that they have left or that are archived', async () => {
  const { org, anna, ben, harbour } = await cast()
  const [left, archived] = [
    await org.channel({ name: 'left', subscribers: [anna, ben] }),
    await org.channel({ name: 'archived', subscribers: [anna, ben] }),
  ]
  const messages = await talk(anna, harbour, 'known', 2)
  await talk(anna, harbour, 'boats')
  await talk(anna, left, 'unwanted')
  await talk(anna, archived, 'closed')
  await ben.post('/messages/flags', { messages, op: 'add', flag: 'read' })
  await ben.delete('/users/me/subscriptions', { subscriptions: ['left'] })
  await org.owner.delete(`/streams/${archived.id}`)
  const text = textOf((await digestsOf(org, ben))[0])
  expect(text).toContain('#harbour > boats')
  expect(text).not.toMatch(/known|unwanted|closed|archived/)
})

test('tells nothing of private channels to others, nor what came before a reader of a protected history', async () => {
  const { org, anna, ben, carl } = await cast()
  const cove = await org.channel({ name: 'cove', isPrivate: true, subscribers: [anna, ben] })
  const guest = await org.person({ role: 'guest', email: `guest@${org.id}.example.com` })
  all.pass(6 * day)
  await anna.post('/users/me/presence', { status: 'active' })
  await talk(anna, cove, 'treasure', 2)
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'cove' }],
    principals: [ben.id],
  })
  await anna.post('/users/me/subscriptions', { subscriptions: [{ name: 'cove' }], principals: [carl.id] })
  await talk(anna, cove, 'map')
  await sender(anna, cove)('treasure', 'It is gone')
  await org.channel({ name: 'open' })
  await org.channel({ name: 'closed', isPrivate: true })
  await morning(org)
  expect(textOf(digestsTo(ben)[0])).toMatch(/treasure 1[\s\S]*treasure 2[\s\S]*It is gone/)
  const text = textOf(digestsTo(carl)[0])
  expect(text).toContain('It is gone')
  expect(text).toContain('map 1')
  expect(text).toContain('• #open')
  expect(text).not.toMatch(/treasure \d|#closed/)
  expect(digestsTo(guest)).toEqual([])
  expect(textOf(digestsTo(org.owner)[0])).not.toMatch(/treasure|map/)
})

test('forgets what a reader has lost access to, and messages that were deleted', async () => {
  const { org, anna, ben, harbour } = await cast()
  const cove = await org.channel({ name: 'cove', isPrivate: true, subscribers: [anna, ben] })
  await talk(anna, cove, 'treasure', 2)
  const [first] = await talk(anna, harbour, 'boats', 2)
  await org.owner.delete(`/messages/${first}`)
  await org.owner.delete('/users/me/subscriptions', { subscriptions: ['cove'], principals: [ben.id] })
  const text = textOf((await digestsOf(org, ben))[0])
  expect(text).toContain('boats 2')
  expect(text).not.toMatch(/boats 1|treasure|cove/)
})

test('quotes no message that is edited or moved while the digests are written', async () => {
  const { org, anna, harbour } = await cast()
  const ids = await talk(anna, harbour, 'boats', 3)
  const [edited, moved, left] = ids as [number, number, number]
  const topic = {
    channelId: harbour.id,
    recipient: harbour.recipient_id,
    topic: 'boats',
    messages: 3,
    newest: left,
  }
  const { read } = org.log.database
  const quoted = await quotedMessages(read, org.state, [{ ...topic, first: ids }])
  await anna.patch(`/messages/${edited}`, { content: 'The password is gone.' })
  await anna.patch(`/messages/${moved}`, { topic: 'sails', propagate_mode: 'change_one' })
  const kept = await org.log.commit((change) => unchangedMessages(change, quoted))
  expect([...kept.keys()]).toEqual([left])
})

test('names nothing if the user or the organization wants no content in mails', async () => {
  const { org, anna, ben, carl, harbour } = await cast()
  await ben.patch('/settings', { message_content_in_email_notifications: false })
  await talk(anna, harbour, 'boats')
  await org.channel({ name: 'news' })
  const [mail] = await digestsOf(org, ben)
  expect(`${mail!.text}${mail!.html}`).not.toMatch(/harbour|boats|Anna|news/)
  expect(textOf(mail)).toMatch(/new messages in your channels[\s\S]*has 1 new channel\./)
  expect(textOf(digestsTo(carl)[0])).toContain('boats')
  const other = await cast()
  await other.org.owner.patch('/realm', { message_content_allowed_in_email_notifications: false })
  await talk(other.anna, other.harbour, 'boats')
  expect(textOf((await digestsOf(other.org, other.ben))[0])).not.toMatch(/harbour|boats|Anna/)
})

test('hides names from guests who may not see all users', async () => {
  const { org, anna } = await cast()
  const limited = { can_access_all_users_group: { new: org.group('role:members') } }
  expect((await org.owner.patch('/realm', limited)).status).toBe(200)
  const guest = await org.person({ role: 'guest', email: `guest@${org.id}.example.com` })
  const quay = await org.channel({ name: 'quay', subscribers: [guest] })
  all.pass(6 * day)
  await anna.post('/users/me/presence', { status: 'active' })
  await sender(anna, quay)('boats', 'Look!')
  await org.channel({ name: 'for members' })
  const [mail] = await digestsOf(org, guest)
  expect(textOf(mail)).toMatch(/^Unknown user:\n> Look!/m)
  expect(JSON.stringify(mail)).not.toMatch(/anna|for members/i)
})
