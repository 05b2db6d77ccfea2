import { expect, test } from 'vitest'
import { messagesOf } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import {
  addressOf,
  deliver,
  mailDomain,
  SmtpClient,
  worldOfIncomingMail,
} from '../../../../test/programs/smtp.ts'
import { listenForMail } from '../../../adapters/mail/mail-listener.ts'
import { incomingAddress } from '../../kernel/mail/incoming-address.ts'

const world = worldOfIncomingMail()
const { all } = world
const accepted = { code: 250 }
const unknown = { code: 550, text: '550 5.1.1 This address takes no mail' }

const cast = async () => annaAndBen(await all.organization(), { name: 'harbour' })

/** Returns how many mails a user can read. */
async function mailsOf(who: Person) {
  return (await messagesOf(who)).filter(({ client }) => client === 'Email').length
}

test('a mail is posted in the channel of its address, under its subject, by the gateway', async () => {
  const { anna, ben, channel } = await cast()
  const client = await ben.register()
  const to = await addressOf(anna, channel.id)
  expect(to).toMatch(/^harbour\.c[a-z0-9-]+@in\.chat\.test$/)
  const headers = ['Subject: Re: AW: Boats ahoy']
  expect(await world.deliver({ to, headers, body: 'Two *sails*.\n\nMore.' })).toMatchObject(accepted)
  expect(await messagesOf(ben)).toMatchObject([
    {
      subject: 'Boats ahoy',
      sender_full_name: 'Email Gateway',
      client: 'Email',
      content: '**From:** Zoe Zander (zoe@example.org)\n\nTwo *sails*.\n\nMore.',
    },
  ])
  await client.expectStateToMatch()
})

test('a name cannot turn the direction of what follows it', async () => {
  const { anna, ben, channel } = await cast()
  const to = await addressOf(anna, channel.id)
  const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
  const headers = [
    `From: ${encoded('Bank \u202e\u2067(knab@ofni)')} <z@x.org>`,
    `Subject: ${encoded('\u202eשלום')}`,
  ]
  await world.deliver({ to, headers, body: 'x' })
  const [message] = await messagesOf(ben)
  expect(message!.content).toBe('**From:** Bank (knab@ofni) (z@x.org)\n\nx')
  expect(message!.subject).toBe('שלום')
})

test('a mail is posted by the user or the bot that its address names, in any case of letters', async () => {
  const { anna, ben, channel } = await cast()
  const { body: bot } = await anna.post('/bots', { full_name: 'Crier', short_name: 'crier' })
  const asAnna = (await addressOf(anna, channel.id, anna.id)).toUpperCase()
  expect(await world.deliver({ to: asAnna, body: 'as myself, @**Ben**' })).toMatchObject(accepted)
  const asBot = await addressOf(anna, channel.id, bot.user_id)
  expect(await world.deliver({ to: asBot, body: 'as my bot' })).toMatchObject(accepted)
  expect(await messagesOf(ben)).toMatchObject([
    { sender_id: anna.id, content: 'as myself, @**Ben**', flags: expect.arrayContaining(['mentioned']) },
    { sender_id: bot.user_id, content: 'as my bot' },
  ])
})

test('an address takes no mail while its user or its sender may not post in the channel', async () => {
  const { org, anna, ben, channel } = await cast()
  const { body: bot } = await anna.post('/bots', { full_name: 'Crier', short_name: 'crier' })
  const [gateway, own, ofBot] = [
    await addressOf(anna, channel.id),
    await addressOf(anna, channel.id, anna.id),
    await addressOf(anna, channel.id, bot.user_id),
  ]
  const answers = async () => {
    const replies = []
    for (const to of [gateway, own, ofBot]) replies.push((await world.deliver({ to, body: 'x' })).code)
    return replies
  }
  const permit = (group: 'role:nobody' | 'role:everyone') =>
    org.owner.patch(`/streams/${channel.id}`, { can_send_message_group: { new: org.group(group) } })
  await permit('role:nobody')
  expect(await answers()).toEqual([550, 550, 550])
  await permit('role:everyone')
  expect(await answers()).toEqual([250, 250, 250])
  await anna.delete(`/bots/${bot.user_id}`)
  expect(await answers()).toEqual([250, 250, 550])
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  expect(await answers()).toEqual([250, 250, 550])
  await anna.delete('/users/me/subscriptions', { subscriptions: ['harbour'] })
  expect(await answers()).toEqual([550, 550, 550])
  const bens = await addressOf(ben, channel.id)
  expect((await world.deliver({ to: bens, body: 'x' })).code).toBe(250)
  await org.owner.delete(`/users/${ben.id}`)
  expect(await world.deliver({ to: bens, body: 'x' })).toEqual(unknown)
})

test('an archived channel and a deactivated organization take no mail', async () => {
  const { org, anna, channel } = await cast()
  const other = await org.channel({ name: 'quay', subscribers: [anna] })
  const to = await addressOf(anna, channel.id)
  const there = await addressOf(anna, other.id)
  await org.owner.delete(`/streams/${channel.id}`)
  expect(await world.deliver({ to, body: 'x' })).toEqual(unknown)
  expect((await world.deliver({ to: there, body: 'x' })).code).toBe(250)
  await org.log.commit((change) => change.update('realm', { id: org.id, is_deactivated: true }))
  expect(await world.deliver({ to: there, body: 'x' })).toEqual(unknown)
})

test('an address that was guessed, or belongs to nobody, takes no mail', async () => {
  const { anna, channel, org } = await cast()
  const to = await addressOf(anna, channel.id)
  const { site } = all.node
  const ids = { realmId: org.id, channelId: channel.id, userId: anna.id, senderId: org.owner.id }
  const wrong = [
    to.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@')),
    to.replace(mailDomain, 'chat.test'),
    `postmaster@${mailDomain}`,
    // Another user as the sender, a channel and an organization that there are not.
    incomingAddress(site, { kind: 'channel', ...ids })!,
    incomingAddress(site, { kind: 'channel', ...ids, senderId: anna.id, channelId: 99_999 })!,
    incomingAddress(site, { kind: 'channel', ...ids, realmId: 99_999 })!,
  ]
  for (const address of wrong) expect(await world.deliver({ to: address, body: 'x' })).toEqual(unknown)
})

test('another node hears of an address that has just begun to be valid', async () => {
  const { org, anna } = await cast()
  const { app } = await all.anotherNode()
  const receiver = await app.mailReceiver()
  const listener = await listenForMail({ host: '127.0.0.1', port: 0, name: mailDomain, receiver })
  try {
    await app.realms.byId(org.id)
    await anna.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] })
    const { body } = await anna.get('/get_stream_id', { stream: 'new' })
    const to = await addressOf(anna, body.stream_id)
    expect(await deliver(listener.port, { to, body: 'x' })).toMatchObject(accepted)
  } finally {
    await listener.close()
  }
})

test('a mail that comes twice is posted once, but once for each address', async () => {
  const { anna, ben, channel } = await cast()
  const [first, second] = [await addressOf(anna, channel.id), await addressOf(ben, channel.id)]
  const headers = ['Message-ID: <same@example.org>']
  const mail = { to: first, headers, body: 'once' }
  await Promise.all([world.deliver(mail), world.deliver(mail), world.deliver(mail)])
  expect(await world.deliver(mail)).toMatchObject(accepted)
  expect(await messagesOf(ben)).toHaveLength(1)
  expect(await world.deliver({ to: [second, first], headers, body: 'once' })).toMatchObject(accepted)
  expect(await messagesOf(ben)).toHaveLength(2)
})

test('a mail without a Message-ID that comes twice is posted once', async () => {
  const { anna, ben, channel } = await cast()
  const to = await addressOf(anna, channel.id)
  const content = (body: string) => Buffer.from(`From: zoe@example.org\r\nSubject: s\r\n\r\n${body}`)
  for (const body of ['one', 'one', 'two']) await world.deliver({ to, body: content(body) })
  expect((await messagesOf(ben)).map((message) => message.content.split('\n').at(-1))).toEqual(['one', 'two'])
})

test.each([
  ['the same, as some devices write it', ['Message-ID: <1@localhost>']],
  ['empty', ['Message-ID: <>']],
])('no mail is lost where the Message-ID of all mails is %s', async (_, headers) => {
  const { anna, ben, channel } = await cast()
  const to = await addressOf(anna, channel.id)
  const mailAt = (minute: number) => {
    const date = `Date: Mon, 1 Jun 2026 10:0${minute}:00 +0200`
    return { to, headers: [...headers, date], body: `minute ${minute}` }
  }
  for (const minute of [1, 2, 1]) expect(await world.deliver(mailAt(minute))).toMatchObject(accepted)
  expect((await messagesOf(ben)).map((message) => message.content.split('\n').at(-1))).toEqual([
    'minute 1',
    'minute 2',
  ])
})

test('a mail that comes on two ways is posted once', async () => {
  const { anna, ben, channel } = await cast()
  const to = await addressOf(anna, channel.id)
  for (const way of ['list', 'direct']) {
    const headers = [
      `Received: by ${way}.example.org`,
      'Message-ID: <two@example.org>',
      'Date: Mon, 1 Jun 2026 10:00:00 +0200',
    ]
    expect(await world.deliver({ to, headers, body: 'once' })).toMatchObject(accepted)
  }
  expect(await messagesOf(ben)).toHaveLength(1)
})

test('a mail whose acknowledgement was lost is not posted again', async () => {
  const { anna, ben, channel } = await cast()
  const client = await ben.register({ event_types: ['message'] })
  const to = await addressOf(anna, channel.id)
  const headers = ['Message-ID: <lost@example.org>', 'From: Zoe <zoe@example.org>', 'Subject: s']
  const smtp = await SmtpClient.open(world.port)
  for (const line of ['EHLO client.test', 'MAIL FROM:<zoe@example.org>', `RCPT TO:<${to}>`, 'DATA'])
    await smtp.ask(line)
  smtp.socket.end(`${headers.join('\r\n')}\r\n\r\nbody\r\n.\r\n`)
  expect(await client.next()).toHaveLength(1)
  smtp.close()
  expect(await world.deliver({ to, headers, body: 'body' })).toMatchObject(accepted)
  expect(await messagesOf(ben)).toHaveLength(1)
})

test('nothing is acknowledged while the database takes no writes, and the mail is posted later', async () => {
  const { org, anna, ben, channel } = await cast()
  const to = await addressOf(anna, channel.id)
  const mail = { to, headers: ['Message-ID: <later@example.org>'], body: 'x' }
  const { pool } = org.log.database
  const { connect } = pool
  pool.connect = (() => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))) as never
  try {
    expect((await world.deliver(mail)).code).toBe(451)
  } finally {
    pool.connect = connect
  }
  expect(await messagesOf(ben)).toEqual([])
  expect(await world.deliver(mail)).toMatchObject(accepted)
  expect(await messagesOf(ben)).toHaveLength(1)
})

test('a mail under way is posted and acknowledged while the server stops, and no further one is taken', async () => {
  const { anna, ben, channel } = await cast()
  const to = await addressOf(anna, channel.id)
  const receiver = await all.node.app.mailReceiver()
  const listener = await listenForMail({ host: '127.0.0.1', port: 0, name: mailDomain, receiver })
  const smtp = await SmtpClient.open(listener.port)
  for (const line of ['EHLO client.test', 'MAIL FROM:<z@x.org>', `RCPT TO:<${to}>`, 'DATA'])
    await smtp.ask(line)
  const closed = listener.close()
  expect(await smtp.ask('Subject: s\r\n\r\nthe last\r\n.')).toMatchObject(accepted)
  await closed
  await expect(SmtpClient.open(listener.port)).rejects.toThrow()
  expect(await messagesOf(ben)).toHaveLength(1)
  smtp.close()
})

test('a mail to several organizations of which one fails comes again, and is posted once in each', async () => {
  const [first, second] = [await cast(), await cast()]
  const to = [await addressOf(first.anna, first.channel.id), await addressOf(second.anna, second.channel.id)]
  const mail = { to, headers: ['Message-ID: <several@example.org>'], body: 'x' }
  const { log } = second.org
  const { commitIn } = log
  log.commitIn = () => Promise.reject(new Error('The database is away.'))
  try {
    expect((await world.deliver(mail)).code).toBe(451)
  } finally {
    log.commitIn = commitIn
  }
  const posted = async () => [await mailsOf(first.ben), await mailsOf(second.ben)]
  expect(await posted()).toEqual([1, 0])
  expect(await world.deliver(mail)).toMatchObject(accepted)
  expect(await posted()).toEqual([1, 1])
  // If one address refuses the mail for good, the sender is told, though the other one has it.
  const asAnna = await addressOf(second.anna, second.channel.id, second.anna.id)
  const crowd = Array.from({ length: 15 }, () => second.org.person())
  for (const { id } of await Promise.all(crowd)) {
    await second.anna.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'harbour' }],
      principals: [id],
    })
  }
  const both = { to: [to[0]!, asAnna], body: '@**all**' }
  await second.org.owner.patch('/realm', {
    can_mention_many_users_group: { new: second.org.group('role:nobody') },
  })
  expect((await world.deliver(both)).code).toBe(550)
  expect(await posted()).toEqual([2, 1])
})
