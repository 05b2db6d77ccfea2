import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { send } from '../../../../test/http.ts'
import { direct, sendTo } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import { getPage } from '../../../../test/pages.ts'
import type { Person } from '../../../../test/person.ts'
import { harbourOfThree, type ReceivedMail, worldOfMail } from '../../../../test/programs/mail-server.ts'
import { missedLimits } from '../kernel/missed-messages/limits.ts'

const { all, server } = worldOfMail()

// By default a user follows topics with a mention of them, and gets mail about all messages there.
const followsNothing = { automatically_follow_topics_where_mentioned: false }

/** Anna writes; Ben and Carl are away. */
const cast = async () => harbourOfThree(await all.organization())

/** Waits until all messages so far have been scanned. */
async function lookedAt(org: Organization) {
  await all.workOff()
  const { read } = all.node.app.realms.connections
  return vi.waitFor(
    async () => {
      const [row] = await read.rows<{ message_id: number }>(
        sql`SELECT message_id FROM missed_position WHERE realm_id = ${org.id}`,
      )
      expect(row?.message_id).toBe(org.state.lastMessageId)
    },
    { timeout: 20_000, interval: 50 },
  )
}

/** Advances the time by the waiting period, and sends the mails that are due. */
async function batchingOver(org: Organization) {
  await lookedAt(org)
  all.pass(121)
  await all.workOff()
  const { read } = all.node.app.realms.connections
  await vi.waitFor(
    async () => {
      const left = sql`SELECT 1 FROM job WHERE realm_id = ${org.id} AND kind IN ('missed messages', 'mail')`
      expect(await read.rows(left)).toEqual([])
    },
    { timeout: 20_000, interval: 50 },
  )
}

async function mailsAfter(org: Organization, person: Person): Promise<ReceivedMail[]> {
  await batchingOver(org)
  return server.to(person.email)
}

test('mails missed messages to a user who is away, grouped by conversation', async () => {
  const { org, anna, ben, carl } = await cast()
  await direct(anna, [ben], 'Are you <there>?')
  await direct(anna, [ben, carl], 'Lunch, you two?')
  await direct(anna, [ben], 'Hello again')
  await sendTo(anna, 'harbour', 'boats', 'Nobody asked for this by mail')
  const [mail, ...more] = await mailsAfter(org, ben)
  expect(more).toEqual([])
  expect(mail!.subject).toBe('3 messages in 2 conversations')
  const text = mail!.text!.replaceAll('\r\n', '\n')
  expect(text).toMatch(/^Direct message from Anna\nhttp:\/\/org\d+\.chat\.test\/#narrow\/dm\//)
  expect(text).toMatch(/Anna:\n> Are you <there>\?\n\nAnna:\n> Hello again\n\nGroup of you, Anna, Carl\n/)
  expect(text).not.toContain('Nobody asked')
  expect(mail!.html).toContain('Are you &lt;there&gt;?')
  expect(server.to(anna.email)).toEqual([])
})

test('sends no mail to users who are present or have read the message in the meantime', async () => {
  const { org, anna, ben, carl } = await cast()
  await carl.post('/users/me/presence', { status: 'active' })
  const first = await direct(anna, [ben], 'You will read this')
  await direct(anna, [carl], 'You are there')
  await lookedAt(org)
  await ben.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' })
  expect(await mailsAfter(org, ben)).toEqual([])
  expect(server.to(carl.email)).toEqual([])
})

test('each user can set how long messages are gathered', async () => {
  const { org, anna, ben } = await cast()
  await ben.patch('/settings', { email_notifications_batching_period_seconds: 600 })
  await direct(anna, [ben], 'one')
  await lookedAt(org)
  all.pass(500)
  await direct(anna, [ben], 'two')
  await lookedAt(org)
  expect(server.to(ben.email)).toEqual([])
  const [mail] = await mailsAfter(org, ben)
  expect(mail!.text).toMatch(/> one\s+Anna:\s+> two/)
})

test('sends no mail to users who turned it off or have muted the sender', async () => {
  const { org, anna, ben, carl } = await cast()
  await ben.patch('/settings', { ...followsNothing, enable_offline_email_notifications: false })
  await carl.post(`/users/me/muted_users/${anna.id}`)
  for (const person of [ben, carl]) await direct(anna, [person], 'psst')
  await sendTo(anna, 'harbour', 'boats', '@**Ben** and @**Carl** and @**all**')
  expect(await mailsAfter(org, ben)).toEqual([])
  expect(server.to(carl.email)).toEqual([])
})

test('mails mentions, and wildcard mentions unless the channel or topic is muted', async () => {
  const { org, anna, ben, carl, channel } = await cast()
  await ben.patch('/settings', followsNothing)
  await ben.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel.id, property: 'is_muted', value: true }],
  })
  await sendTo(anna, 'harbour', 'boats', '@**all** hands')
  await sendTo(anna, 'harbour', 'boats', '@**Ben** a word')
  const [toBen] = await mailsAfter(org, ben)
  expect(toBen!.subject).toBe('#harbour > boats')
  expect(toBen!.text).toContain('a word')
  expect(toBen!.text).not.toContain('hands')
  expect(server.to(carl.email)).toMatchObject([{ text: expect.stringContaining('hands') }])
  expect(server.to(carl.email)[0]!.text).not.toContain('a word')
})

// JavaScript makes two characters of İ, and another letter of Σ at the end of a word. PostgreSQL does neither.
test('mails what users want of a topic, whatever its letters', async () => {
  const { org, anna, ben, carl, channel } = await cast()
  for (const topic of ['İskele', 'ΛΙΜΕΝΑΣ']) {
    await ben.post('/user_topics', { stream_id: channel.id, topic, visibility_policy: 3 })
    await carl.post('/user_topics', { stream_id: channel.id, topic, visibility_policy: 1 })
    await sendTo(anna, 'harbour', topic, `@**all** to ${topic}`)
    await sendTo(anna, 'harbour', topic, `News of ${topic}`)
  }
  const [mail] = await mailsAfter(org, ben)
  for (const topic of ['İskele', 'ΛΙΜΕΝΑΣ']) expect(mail!.text).toContain(`News of ${topic}`)
  expect(server.to(carl.email)).toEqual([])
})

test('mails mentions that an edit adds, unless the message was read or the topic is muted', async () => {
  const { org, anna, ben, carl, channel } = await cast()
  for (const person of [ben, carl]) await person.patch('/settings', followsNothing)
  await ben.post('/user_topics', { stream_id: channel.id, topic: 'noise', visibility_policy: 1 })
  const id = await sendTo(anna, 'harbour', 'boats', '@**Ben** a word')
  const [read, muted] = [
    await sendTo(anna, 'harbour', 'boats', 'old'),
    await sendTo(anna, 'harbour', 'noise', 'horn'),
  ]
  await carl.post('/messages/flags', { messages: [read, muted], op: 'add', flag: 'read' })
  expect(await mailsAfter(org, ben)).toMatchObject([{ text: expect.stringContaining('a word') }])
  await anna.patch(`/messages/${id}`, { content: '@**Ben** and @**Carl**, a word with you' })
  for (const one of [read, muted]) await anna.patch(`/messages/${one}`, { content: '@**all** hear' })
  const [, mail, ...more] = await mailsAfter(org, ben)
  expect(mail!.text!.match(/hear|a word/g)).toEqual(['hear'])
  expect(more).toEqual([])
  expect(server.to(carl.email)).toMatchObject([{ text: expect.stringMatching(/a word with you(?!.*hear)/s) }])
})

test('mails a topic wildcard mention to the participants of the topic', async () => {
  const { org, anna, ben, carl } = await cast()
  await sendTo(carl, 'harbour', 'boats', 'I am in')
  await sendTo(anna, 'harbour', 'boats', '@**topic** gather round')
  await batchingOver(org)
  expect(server.to(carl.email)).toMatchObject([{ text: expect.stringContaining('gather round') }])
  expect(server.to(ben.email)).toEqual([])
})

test('mails messages of channels and topics to users who want this', async () => {
  const { org, anna, ben, carl, channel } = await cast()
  await ben.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel.id, property: 'email_notifications', value: true }],
  })
  await ben.post('/user_topics', { stream_id: channel.id, topic: 'Noise', visibility_policy: 1 })
  await carl.post('/user_topics', { stream_id: channel.id, topic: 'boats', visibility_policy: 3 })
  await sendTo(anna, 'harbour', 'Boats', 'a sail')
  await sendTo(anna, 'harbour', 'noise', 'a horn')
  await sendTo(anna, 'harbour', 'weather', 'rain')
  const [toBen] = await mailsAfter(org, ben)
  expect(toBen!.text).toMatch(/a sail[\s\S]*rain/)
  expect(toBen!.text).not.toContain('a horn')
  const [toCarl] = server.to(carl.email)
  expect(toCarl!.text).toContain('a sail')
  expect(toCarl!.text).not.toMatch(/a horn|rain/)
})

test('leaves out messages that are no longer readable, or empty by now, and mails the current text of edited ones', async () => {
  const { org, anna, ben, carl } = await cast()
  const cove = await org.channel({ name: 'cove', isPrivate: true, subscribers: [anna, ben, carl] })
  await sendTo(anna, 'cove', 'treasure', '@**Ben** it is under the tree')
  const deleted = await direct(org.owner, [ben], 'forget this')
  const removed = await direct(anna, [ben], 'a mistake')
  const edited = await direct(anna, [carl], 'the old text')
  await lookedAt(org)
  await org.owner.delete('/users/me/subscriptions', { subscriptions: ['cove'], principals: [ben.id] })
  await org.log.commit((change) =>
    change.update('subscription', {
      user_id: ben.id,
      channel_id: cove.id,
      received: [[1, change.lastMessageId + 1]],
    }),
  )
  expect((await org.owner.delete(`/messages/${deleted}`)).status).toBe(200)
  expect((await anna.patch(`/messages/${removed}`, { content: '' })).status).toBe(200)
  expect((await anna.patch(`/messages/${edited}`, { content: 'the new text' })).status).toBe(200)
  expect(await mailsAfter(org, ben)).toEqual([])
  expect(server.to(carl.email)).toMatchObject([{ text: expect.stringContaining('the new text') }])
})

test('leaves out content, names and topics if the user or the organization wants this', async () => {
  const { org, anna, ben, carl } = await cast()
  await ben.patch('/settings', { message_content_in_email_notifications: false })
  await direct(anna, [ben], 'a secret')
  const [mail] = await mailsAfter(org, ben)
  expect(mail!.subject).toBe('1 unread message')
  expect(`${mail!.text}${mail!.html}`).not.toMatch(/secret|Anna/)
  await org.owner.patch('/realm', { message_content_allowed_in_email_notifications: false })
  await direct(anna, [carl], 'another secret')
  await batchingOver(org)
  expect(server.to(carl.email)[0]!.text).not.toMatch(/secret|Anna/)
})

test("hides the sender's name from guests who may not see them, and the address from all users", async () => {
  const { org, anna } = await cast()
  const limited = { can_access_all_users_group: { new: org.group('role:members') } }
  expect((await org.owner.patch('/realm', limited)).status).toBe(200)
  const guest = await org.person({ role: 'guest', name: 'Guest', email: `guest${org.id}@example.com` })
  await org.channel({ name: 'quay', subscribers: [guest] })
  await sendTo(anna, 'quay', 'boats', 'Look, @**all**!')
  const [mail] = await mailsAfter(org, guest)
  expect(mail!.text).toMatch(/^Unknown user:\r?\n> Look, @all!/m)
  expect(JSON.stringify(mail)).not.toMatch(/anna/i)
})

test('quotes messages as readers see them, not their Markdown', async () => {
  const { org, anna, ben } = await cast()
  await direct(anna, [ben], '**Look** at [the plan](https://example.com/plan), @**Ben**:\n* `one`\n* two')
  const [mail] = await mailsAfter(org, ben)
  const text = mail!.text!.replaceAll('\r\n', '\n')
  expect(text).toContain('Anna:\n> Look at the plan, @Ben:\n> • one\n> • two\n')
  expect(mail!.html).not.toContain('**')
})

test('hides the content of spoilers', async () => {
  const { org, anna, ben } = await cast()
  const content =
    'Seen it?\n```spoiler The end\nthe butler\n```\nGood film.\n```quote\n~~~spoiler\nalso the butler\n~~~\n```'
  await direct(anna, [ben], content)
  const [mail] = await mailsAfter(org, ben)
  expect(mail!.text).toMatch(/The end \(hidden\)[\s\S]*Good film/)
  expect(`${mail!.text}${mail!.html}`).not.toContain('butler')
})

test('one click in the mail client, or on the page, stops the mails', async () => {
  const { org, anna, ben, channel } = await cast()
  await ben.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel.id, property: 'email_notifications', value: true }],
  })
  await direct(anna, [ben], 'one')
  const [mail] = await mailsAfter(org, ben)
  const header = (name: string) => mail!.headers.find(({ key }) => key === name)?.value
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const { pathname: path, host } = new URL(header('list-unsubscribe')!.slice(1, -1))
  expect(host).toBe(org.place.host)
  const client = await ben.register()
  const looked = await getPage(org, path)
  expect(looked.text).toContain(ben.email)
  expect(await client.events()).toEqual([])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (let i = 0; i < 2; i++) {
    const body = 'List-Unsubscribe=One-Click'
    expect((await send(org.place, { method: 'POST', path, headers, body })).status).toBe(200)
  }
  expect((await client.events()).filter(({ type }) => type !== 'update_global_notifications')).toMatchObject([
    { type: 'user_settings', property: 'enable_offline_email_notifications', value: false },
    { type: 'user_settings', property: 'enable_followed_topic_email_notifications', value: false },
    { type: 'subscription', property: 'email_notifications', value: false },
  ])
  await client.expectStateToMatch()
  await direct(anna, [ben], 'two')
  await sendTo(anna, 'harbour', 'boats', 'three')
  expect(await mailsAfter(org, ben)).toHaveLength(1)
  expect((await send(org.place, { method: 'POST', path: `${path}x`, headers })).status).toBe(400)
})

test('several nodes send one mail', async () => {
  await Promise.all([all.anotherNode(), all.anotherNode()])
  const { org, anna, ben, carl } = await cast()
  for (let i = 0; i < 20; i++) await direct(anna, [ben, carl], `message ${i}`)
  for (const person of [ben, carl]) expect(await mailsAfter(org, person)).toHaveLength(1)
  await all.workOff()
  for (const person of [ben, carl]) expect(server.to(person.email)).toHaveLength(1)
})

test('shows some of very many messages and the total number', async () => {
  const { org, anna, ben } = await cast()
  const number = missedLimits.missedMessagesLookedAt + 10
  for (let i = 0; i < number; i += 30) {
    await Promise.all(Array.from({ length: Math.min(30, number - i) }, () => direct(anna, [ben], 'ping')))
  }
  const [mail] = await mailsAfter(org, ben)
  expect(mail!.subject).toBe(`${number} messages`)
  expect(mail!.text!.match(/> ping/g)).toHaveLength(missedLimits.missedMessagesPerMail)
  expect(mail!.text).toContain(`And ${number - missedLimits.missedMessagesPerMail} more messages.`)
})
