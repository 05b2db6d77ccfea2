import { afterAll, beforeAll, expect, test } from 'vitest'
import { direct, messagesOf, sendTo } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { harbourOfThree, MailServer, type ReceivedMail } from '../../../../test/programs/mail-server.ts'
import { worldOfIncomingMail } from '../../../../test/programs/smtp.ts'
import { incomingAddress } from '../../kernel/mail/incoming-address.ts'

const mailbox = new MailServer()
const world = worldOfIncomingMail({ adapters: { mail: mailbox.transport } })
const { all } = world
beforeAll(() => mailbox.start())
afterAll(() => mailbox.stop())

const accepted = { code: 250 }
const unknown = { code: 550, text: '550 5.1.1 This address takes no mail' }
/** Anna writes; Ben and Carl are away. */
const cast = async () => harbourOfThree(await all.organization())

/** Lets the time of waiting pass, and returns the mail about missed messages. */
async function mailTo(person: Person): Promise<ReceivedMail> {
  await all.workOff()
  all.pass(121)
  await all.workOff()
  return mailbox.awaitMail(person.email)
}

const replyTo = ({ replyTo: to }: ReceivedMail) => to?.map(({ address }) => address!) ?? []

/** Anna calls a user in a channel. */
const mention = (from: Person, channel: number, name: string, topic = 'boats') =>
  sendTo(from, channel, topic, `@**${name}** sail?`)

/** The text of a reply, as a mail program makes it. */
const repliedTo = (mail: ReceivedMail, words: string) =>
  `${words}\r\n\r\nOn Monday at 10:00, Org wrote:\r\n${mail.text!.replace(/^/gm, '> ')}`

test('a reply by email to a direct message goes to its conversation, as its user', async () => {
  const { anna, ben } = await cast()
  await direct(anna, [ben], 'Are you there?')
  const mail = await mailTo(ben)
  expect(mail.text).toContain('Reply to this email to answer in this conversation.')
  const [to = ''] = replyTo(mail)
  expect(to).toMatch(/^r[a-z0-9-]+@in\.chat\.test$/)
  const client = await anna.register()
  expect(await world.deliver({ to, body: repliedTo(mail, 'Yes,\r\nI am.\r\n\r\n-- \r\nBen') })).toMatchObject(
    accepted,
  )
  const messages = await messagesOf(anna)
  expect(messages.at(-1)).toMatchObject({ sender_id: ben.id, content: 'Yes,\nI am.', type: 'private' })
  expect(messages).toHaveLength(2)
  await client.expectStateToMatch()
})

test('a reply follows its message to where it was moved, and may mention people', async () => {
  const { org, anna, ben, channel } = await cast()
  const id = await mention(anna, channel.id, 'Ben')
  const [to = ''] = replyTo(await mailTo(ben))
  const quay = await org.channel({ name: 'quay', subscribers: [anna, ben] })
  await org.owner.patch(`/messages/${id}`, { stream_id: quay.id, topic: 'ships' })
  expect(await world.deliver({ to, headers: ['Subject: other'], body: 'Yes, @**Anna**!' })).toMatchObject(
    accepted,
  )
  expect((await messagesOf(anna)).at(-1)).toMatchObject({
    stream_id: quay.id,
    subject: 'ships',
    sender_id: ben.id,
    flags: expect.arrayContaining(['mentioned']),
  })
})

test('a mail about several conversations names an address for each, and has no Reply-To', async () => {
  const { anna, ben, channel } = await cast()
  await direct(anna, [ben], 'psst')
  await mention(anna, channel.id, 'Ben')
  const mail = await mailTo(ben)
  expect(replyTo(mail)).toEqual([])
  const addresses = [...mail.text!.matchAll(/Answer in this conversation by email: (\S+@\S+)/g)].map(
    ([, one]) => one!,
  )
  expect(addresses).toHaveLength(2)
  for (const [i, to] of addresses.entries()) {
    expect(await world.deliver({ to, body: `answer ${i}` })).toMatchObject(accepted)
  }
  const messages = (await messagesOf(anna)).slice(-2)
  const kinds = messages.map(({ type, content }) => `${type} ${content}`)
  expect(kinds.sort()).toEqual(['private answer 0', 'stream answer 1'])
})

test('a mail that shows no content, or whose user may not write there, takes no reply', async () => {
  const { org, anna, ben, carl, channel } = await cast()
  await ben.patch('/settings', { message_content_in_email_notifications: false })
  await direct(anna, [ben], 'secret')
  const group = { new: { direct_members: [anna.id], direct_subgroups: [] } }
  await org.owner.patch(`/streams/${channel.id}`, { can_send_message_group: group })
  await mention(anna, channel.id, 'Carl')
  for (const person of [ben, carl]) {
    const mail = await mailTo(person)
    expect(replyTo(mail)).toEqual([])
    expect(mail.text).not.toMatch(/answer in/i)
  }
})

test('a reply is refused when its user may not write there any more, and has nothing to answer', async () => {
  const { org, anna, ben, channel } = await cast()
  await mention(anna, channel.id, 'Ben')
  const [to = ''] = replyTo(await mailTo(ben))
  expect((await world.deliver({ to, body: '> only a quote' })).text).toContain('The mail is empty')
  const other = await mention(anna, channel.id, 'Ben')
  const address = replyAddressOf(org, ben, other)
  expect(await world.deliver({ to: address, body: 'x' })).toMatchObject(accepted)
  await org.owner.delete(`/messages/${other}`)
  expect(await world.deliver({ to: address, body: 'x' })).toEqual(unknown)
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  await ben.delete('/users/me/subscriptions', { subscriptions: ['harbour'] })
  expect(await world.deliver({ to, body: 'x' })).toEqual(unknown)
})

test('a reply is refused long after its message, and from a deactivated user', async () => {
  const { org, anna, ben, carl } = await cast()
  const [toBen, toCarl] = [await direct(anna, [ben], 'one'), await direct(anna, [carl], 'two')]
  const [ofBen, ofCarl] = [replyAddressOf(org, ben, toBen), replyAddressOf(org, carl, toCarl)]
  await org.owner.delete(`/users/${carl.id}`)
  expect(await world.deliver({ to: ofCarl, body: 'x' })).toEqual(unknown)
  // Nobody replies to what is not theirs.
  expect(await world.deliver({ to: replyAddressOf(org, ben, toCarl), body: 'x' })).toEqual(unknown)
  all.pass(91 * 86_400)
  expect(await world.deliver({ to: ofBen, body: 'x' })).toEqual(unknown)
})

test('what programs send to a reply address is dropped', async () => {
  const { org, anna, ben } = await cast()
  const to = replyAddressOf(org, ben, await direct(anna, [ben], 'Holiday?'))
  for (const header of [
    'Auto-Submitted: auto-generated',
    'Precedence: bulk',
    'Precedence: auto_reply',
    'X-Autoreply: yes',
  ]) {
    expect(await world.deliver({ to, headers: [header], body: 'I am away' })).toMatchObject(accepted)
  }
  expect(await world.deliver({ to, from: '', body: 'I am away' })).toMatchObject(accepted)
  expect(await messagesOf(anna)).toHaveLength(1)
  expect(await world.deliver({ to, headers: ['Auto-Submitted: no'], body: 'Back' })).toMatchObject(accepted)
  expect(await messagesOf(anna)).toHaveLength(2)
})

test('our own mail to an address of ours goes round no more than once', async () => {
  const { org, anna, ben } = await cast()
  const to = replyAddressOf(org, ben, await direct(anna, [ben], 'Hello'))
  const mail = await mailTo(ben)
  const headers = mail.headers.filter(({ key }) => ['x-mailer', 'auto-submitted'].includes(key))
  expect(headers).toHaveLength(2)
  const [ours] = headers.filter(({ key }) => key === 'x-mailer')
  await world.deliver({ to, headers: [`X-Mailer: ${ours!.value}`], body: 'x' })
  expect(await messagesOf(anna)).toHaveLength(1)
})

function replyAddressOf(org: Organization, person: Person, messageId: number): string {
  return incomingAddress(all.node.site, { kind: 'reply', realmId: org.id, userId: person.id, messageId })!
}
