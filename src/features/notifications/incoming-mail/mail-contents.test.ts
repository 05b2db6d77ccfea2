import { expect, test } from 'vitest'
import { messagesOf } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import { look, png } from '../../../../test/pictures.ts'
import { addressOf, worldOfIncomingMail } from '../../../../test/programs/smtp.ts'
import { pathsIn } from '../../../../test/stored-files.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { incomingMailLimits } from './limits.ts'

const world = worldOfIncomingMail({ uploadQuotaMib: 1 })
const { all } = world
const accepted = { code: 250 }

/** Anna's channel, its address by the gateway, and what Ben reads there. */
async function cast() {
  const scene = await annaAndBen(await all.organization(), { name: 'harbour' })
  const to = await addressOf(scene.anna, scene.channel.id)
  const posted = async () => {
    const messages = await messagesOf(scene.ben)
    return messages.map(({ content }) => content.replace(/^\*\*From:\*\* .*\n\n/, ''))
  }
  return { ...scene, to, posted }
}

type Part = { type: string; body: string; more?: string[] }

/** Returns the head and the body of a mail of several parts. */
function multipart(...parts: Part[]) {
  const bodies = parts.map(({ type, body, more = [] }) =>
    [`--b`, `Content-Type: ${type}`, ...more, '', body].join('\r\n'),
  )
  return {
    headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
    body: [...bodies, '--b--'].join('\r\n'),
  }
}

function file(name: string, content: Buffer | string, type = 'application/octet-stream'): Part {
  const more = ['Content-Transfer-Encoding: base64', `Content-Disposition: attachment; filename="${name}"`]
  return { type, more, body: Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n') }
}

test('the text of a mail is posted, or else its HTML as Markdown', async () => {
  const { to, posted } = await cast()
  const html = {
    headers: ['Content-Type: text/html; charset=utf-8'],
    body: '<p>A <b>bold</b> <a href="https://x.org/y">link</a>',
  }
  const both = multipart({ type: 'text/plain', body: 'plain' }, { type: 'text/html', body: '<b>no</b>' })
  const alternative = { ...both, headers: both.headers.map((line) => line.replace('mixed', 'alternative')) }
  await world.deliver({ to, ...html })
  await world.deliver({ to, ...alternative })
  const latin = {
    headers: ['Content-Type: text/plain; charset=iso-8859-1'],
    body: Buffer.from('Größe', 'latin1'),
  }
  const content = Buffer.concat([Buffer.from(`From: z@x.org\r\n${latin.headers[0]}\r\n\r\n`), latin.body])
  await world.deliver({ to, body: content })
  expect(await posted()).toEqual(['A **bold** [link](https://x.org/y)', 'plain', 'Größe'])
})

test('a mail without any content is refused', async () => {
  const { to, posted } = await cast()
  for (const body of ['', ' \r\n \r\n']) {
    expect(await world.deliver({ to, body })).toEqual({
      code: 550,
      text: expect.stringContaining('The mail is empty'),
    })
  }
  expect(await posted()).toEqual([])
})

test('a long text is cut with a note, and keeps who has sent it and its files', async () => {
  const { ben, to } = await cast()
  const text = { type: 'text/plain', body: 'word\r\n'.repeat(5_000) }
  expect(await world.deliver({ to, ...multipart(text, file('a.txt', 'hello')) })).toMatchObject(accepted)
  const [message] = await messagesOf(ben)
  expect(message!.content).toMatch(
    /^\*\*From:\*\* Zoe Zander.*\n\nword\n[\s\S]*\[message truncated\]\n\n\[a\.txt\]\(\/user_uploads/,
  )
  expect(message!.content.length).toBeLessThanOrEqual(messageLimits.messageLength)
})

test('files become uploads that readers of the channel may see', async () => {
  const { org, ben, to } = await cast()
  const outsider = await org.person({ role: 'guest' })
  const text = { type: 'text/plain', body: 'See:' }
  const strange = file('..\\\\evil/[x](y) **`.txt', 'hello')
  expect(
    await world.deliver({ to, ...multipart(text, file('plan.txt', 'the plan'), strange) }),
  ).toMatchObject(accepted)
  const [message] = await messagesOf(ben)
  const links = [...message!.content.matchAll(/\[([^\]]+)\]\((\/user_uploads\/[^)]+)\)/g)]
  expect(links.map(([, name]) => name)).toEqual(['plan.txt', "(x)(y) _'.txt"])
  const path = links[0]![2]!
  expect((await ben.raw({ method: 'GET', path })).text).toBe('the plan')
  expect((await outsider.raw({ method: 'GET', path })).status).toBe(403)
})

test('a mail with nothing but a file is posted, also behind code that does not end', async () => {
  const { ben, to, posted } = await cast()
  await world.deliver({ to, ...multipart(file('a.txt', 'a')) })
  await world.deliver({ to, ...multipart({ type: 'text/plain', body: '```\r\ncode' }, file('b.txt', 'b')) })
  const [first, second] = await posted()
  expect(first).toMatch(/^\[a\.txt\]\(\/user_uploads/)
  expect(second).toMatch(/^\[b\.txt\]\(\/user_uploads.*\)\n\n```\ncode$/)
  const { body } = await ben.get('/messages', {
    anchor: 'newest',
    num_before: 9,
    num_after: 0,
    narrow: [{ operator: 'has', operand: 'attachment' }],
  })
  expect(body.messages).toHaveLength(2)
})

test('a file without a name gets one, whatever its type', async () => {
  const { to, posted } = await cast()
  const types = ['text/calendar', 'constructor']
  const more = ['Content-Disposition: attachment']
  await world.deliver({ to, ...multipart(...types.map((type) => ({ type, more, body: 'x' }))) })
  expect((await posted()).join().match(/(?<=\[)[^\]]+/g)).toEqual(['invite.ics', 'attachment'])
})

/** Returns the paths of the files that are stored for an organization. */
async function storedOf(realmId: number): Promise<string[]> {
  return pathsIn(all.adapters.files, `${realmId}/`)
}

test('files beyond the quota refuse the mail, and nothing of it remains', async () => {
  const { org, anna, to, posted } = await cast()
  const heavy = file('a.bin', Buffer.alloc(1024 * 1024 + 1))
  const reply = await world.deliver({ to, ...multipart({ type: 'text/plain', body: 'x' }, heavy) })
  expect(reply).toEqual({ code: 552, text: expect.stringContaining('There is no room for the attachments') })
  expect(await posted()).toEqual([])
  const { body } = await anna.get('/attachments')
  expect(body.upload_space_used).toBe(0)
  expect(await storedOf(org.id)).toEqual([])
  expect((await world.deliver({ to, ...multipart(file('b.txt', 'b')) })).code).toBe(250)
  expect(await storedOf(org.id)).toHaveLength(1)
})

test('files of a mail that is refused for its text are not stored', async () => {
  const { org, anna, ben, channel } = await cast()
  await org.owner.patch('/realm', { can_mention_many_users_group: { new: org.group('role:nobody') } })
  for (let i = 0; i < 15; i++) {
    const { id } = await org.person()
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'harbour' }],
      principals: [id],
    })
  }
  const to = await addressOf(anna, channel.id, anna.id)
  const mail = multipart({ type: 'text/plain', body: '@**all**' }, file('a.txt', 'a'), file('b.txt', 'b'))
  expect(await world.deliver({ to, ...mail })).toMatchObject({ code: 550 })
  expect(await messagesOf(ben)).toEqual([])
  expect(await storedOf(org.id)).toEqual([])
})

test('says how many files were too many', async () => {
  const { to, posted } = await cast()
  const files = Array.from({ length: incomingMailLimits.files + 2 }, (_, i) => file(`${i}.txt`, `${i}`))
  expect(await world.deliver({ to, ...multipart(...files) })).toMatchObject(accepted)
  const [content] = await posted()
  expect(content!.match(/user_uploads/g)).toHaveLength(incomingMailLimits.files)
  expect(content).toContain('(2 more attachments were left out.)')
})

test.each([
  ['any', 'Subject: Fwd: Boats\u0000\u0007', 'Boats'],
  ['any', 'Subject:', 'Email without a subject'],
  ['any', 'Subject: Re: WG: ', 'Email without a subject'],
  ['any', `Subject: ${'long '.repeat(40)}`, `${'long '.repeat(40).slice(0, 57)}...`],
  ['any', 'Subject: =?utf-8?B?R3LDtsOfZQ==?=', 'Größe'],
  ['empty_topic_only', 'Subject: Bo\u0000ats', ''],
  ['disable_empty_topic', 'Subject: general chat', 'Email without a subject'],
])('the topic where the policy is %s, of %j', async (policy, subject, topic) => {
  const { org, ben, channel, to } = await cast()
  if (policy !== 'any') await org.owner.patch(`/streams/${channel.id}`, { topics_policy: policy })
  expect(await world.deliver({ to, headers: [subject], body: 'x' })).toMatchObject(accepted)
  const [message] = await messagesOf(ben, { allow_empty_topic_name: true })
  expect(message!.subject).toBe(topic)
  expect(message!.content.includes('**Subject:** Boats')).toBe(policy === 'empty_topic_only')
})

test('a mail by a user keeps its subject where no topic takes it', async () => {
  const { org, anna, ben, channel } = await cast()
  await org.owner.patch(`/streams/${channel.id}`, { topics_policy: 'empty_topic_only' })
  await world.deliver({ to: await addressOf(anna, channel.id, anna.id), body: 'x' })
  expect((await messagesOf(ben))[0]!.content).toBe('**Subject:** Boats\n\nx')
})

test('a mail by the gateway mentions nobody, whatever is in it', async () => {
  const { org, ben, to } = await cast()
  await org.owner.patch('/realm', { can_mention_many_users_group: { new: org.group('role:everyone') } })
  const words = ['@**all**', '@**Ben**', '@_**Ben**', '@**topic**', '@*role:members*', `@**|${ben.id}**`]
  const mails = [
    { body: words.join(' ') },
    { headers: [`From: "${words.join(' ').replaceAll('"', '')}" <z@x.org>`], body: 'x' },
    { headers: ['Content-Type: text/html'], body: '@<b>all</b> @<b>Ben</b> <b>@</b>**Ben**' },
    multipart({ type: 'text/plain', body: 'x' }, file('@**all** @**Ben**.txt', 'x')),
    { headers: ['Subject: @**all**'], body: '/poll Who?\r\n@**Ben**' },
  ]
  for (const mail of mails) expect(await world.deliver({ to, ...mail })).toMatchObject(accepted)
  const messages = await messagesOf(ben, { apply_markdown: true })
  expect(messages).toHaveLength(mails.length)
  for (const { content, flags } of messages) {
    expect(flags).toEqual([])
    expect(content).not.toContain('user-mention')
    expect(content).not.toContain('user-group-mention')
  }
})

test('a mail by a user mentions whom they may, and is refused if it mentions more', async () => {
  const { org, anna, ben, channel } = await cast()
  await org.owner.patch('/realm', { can_mention_many_users_group: { new: org.group('role:nobody') } })
  const to = await addressOf(anna, channel.id, anna.id)
  expect(await world.deliver({ to, body: 'Hello @**Ben**' })).toMatchObject(accepted)
  expect((await messagesOf(ben))[0]!.flags).toContain('mentioned')
  for (let i = 0; i < 15; i++) {
    const { id } = await org.person()
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'harbour' }],
      principals: [id],
    })
  }
  const reply = await world.deliver({ to, body: 'Hello @**all**' })
  expect(reply).toEqual({ code: 550, text: expect.stringContaining('The message is not permitted') })
})

test('pictures are shown', async () => {
  const { ben, to } = await cast()
  expect(
    await world.deliver({ to, ...multipart(file('a.png', await png(40, 30), 'image/png')) }),
  ).toMatchObject(accepted)
  const [message] = await messagesOf(ben, { apply_markdown: true })
  const [, src = ''] = /src="([^"]+)"/.exec(message!.content) ?? []
  expect(await look(ben, src)).toMatchObject({ status: 200, width: 40, height: 30 })
})
