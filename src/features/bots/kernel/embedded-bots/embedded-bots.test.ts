import { expect, test } from 'vitest'
import type { Wire } from '../../../../../test/client.ts'
import { success } from '../../../../../test/http.ts'
import { jobsOf } from '../../../../../test/jobs.ts'
import { direct, messagesAfter, sendTo } from '../../../../../test/messages.ts'
import { cast, type Organization } from '../../../../../test/organization.ts'
import { Person } from '../../../../../test/person.ts'
import { testServer } from '../../../../../test/test-server.ts'
import { botLimits } from '../bots/limits.ts'
import { noteLimits } from './limits.ts'

const all = testServer()
const without = testServer({ embeddedBots: false })

/** Returns Anna's bot, and a channel with her and Ben as subscribers. */
async function setting(service_name: string, params: object = {}) {
  const people = await cast(await all.organization())
  const { org, anna, ben } = people
  const channel = await org.channel({ name: 'lab', subscribers: [anna, ben] })
  const wanted = { full_name: 'Helper', short_name: 'helper', bot_type: 4, service_name, ...params }
  const { body } = await anna.post('/bots', wanted)
  expect(body).toMatchObject(success)
  const email = org.state.users.require(body.user_id).delivery_email
  const bot = new Person(org.place, { id: body.user_id, name: 'Helper', email, key: body.api_key })
  return { ...people, channel, bot }
}

/** Writes to the channel of the bot. */
const say = (person: Person, content: string) => sendTo(person, 'lab', 'tests', content)

/** Runs the bots and advances the time until there is a result. */
async function come<T>(look: () => Promise<T[]>, count = 1): Promise<T[]> {
  for (let tries = 0; tries < 60; tries++) {
    const found = await look()
    if (found.length >= count) return found
    await all.workOff()
    all.pass(5)
  }
  return look()
}

/** Returns a bot's reply to a direct message of a user. */
async function answer(person: Person, bot: Person, content: string): Promise<string> {
  const id = await direct(person, [bot], content)
  const [reply] = await come(() => messagesAfter(person, id, [{ operator: 'sender', operand: bot.id }]))
  return reply!.content
}

const idle = (org: Organization) => expect.poll(() => jobsOf(org, 'outgoing')).toEqual([])

test('helloworld replies to mentions in the topic and to direct messages in the conversation', async () => {
  const { anna, ben, bot, channel } = await setting('helloworld')
  const client = await ben.register()
  const id = await say(ben, 'Hi @**Helper**!')
  const [reply] = await come(() => messagesAfter(ben, id))
  expect(reply).toMatchObject({
    sender_id: bot.id,
    stream_id: channel.id,
    subject: 'tests',
    client: 'Internal',
  })
  expect(reply!.content).toContain(`Hello, @_**Ben|${ben.id}**!`)
  const second = await direct(ben, [bot, anna], 'Are you there?')
  const [answered] = await come(() => messagesAfter(anna, second))
  expect(answered).toMatchObject({ sender_id: bot.id, type: 'private' })
  expect(answered!.display_recipient.map((one: Wire) => one.id).sort()).toEqual(
    [anna.id, ben.id, bot.id].sort(),
  )
  const heard = (await client.events()).filter(({ type }) => type === 'message')
  expect(heard.map(({ message }) => message.sender_id)).toEqual([ben.id, bot.id, ben.id, bot.id])
  await client.expectStateToMatch()
})

test('where the operator disables embedded bots, existing ones do not reply', async () => {
  const { org, anna, ben } = await cast(await without.organization())
  expect((await anna.post('/register')).body.realm_embedded_bots).toEqual([])
  const params = { full_name: 'Helper', short_name: 'helper', bot_type: 4, service_name: 'helloworld' }
  expect((await anna.post('/bots', params)).body.msg).toBe('Embedded bots are not enabled.')
  const { id: bot } = await org.person({ name: 'Helper' })
  await org.log.commit(async (change) => {
    await change.update('account', { id: bot, bot_type: 4, bot_owner_id: anna.id })
    await change.insert('bot_service', { bot_id: bot, name: 'helloworld' })
  })
  const id = await direct(ben, [{ id: bot }], 'hello')
  await idle(org)
  expect(await messagesAfter(ben, id)).toEqual([])
  expect((await anna.patch(`/bots/${bot}`, { full_name: 'Retired' })).body).toMatchObject(success)
})

test('followup posts a task in its channel under the name of the sender', async () => {
  const { org, anna, ben, bot } = await setting('followup', { config_data: { stream: 'errands' } })
  const channel = await org.channel({ name: 'errands', subscribers: [anna] })
  const text = 'remember buy *milk* for @**Anna**\n```\n@**all**\n```'
  const id = await say(ben, `@**Helper|${bot.id}** ${text}`)
  const [reply] = await come(() => messagesAfter(ben, id, [{ operator: 'channel', operand: 'lab' }]))
  expect(reply).toMatchObject({ sender_id: bot.id, subject: 'tests', content: 'I have put it down.' })
  const [note] = await messagesAfter(anna, id, [{ operator: 'channel', operand: channel.id }])
  expect(note).toMatchObject({ sender_id: bot.id, subject: 'Ben' })
  expect(note!.content).toContain(`@_**Ben|${ben.id}**`)
  expect(note!.content).toContain('buy *milk* for @**Anna**')
  expect(note!.content).not.toContain('remember')
  // The sender is Ben, through a bot, so no user is alerted.
  expect(note!.flags).not.toContain('mentioned')
  expect(note!.flags).not.toContain('wildcard_mentioned')
  expect(await answer(ben, bot, 'What can you do?')).toContain('`remember`')
  expect(await answer(ben, bot, 'remember')).toContain('`remember`')
  expect(await answer(ben, bot, 'Remember: the bread')).toBe('I have put it down.')
  expect(await messagesAfter(anna, note!.id, [{ operator: 'channel', operand: channel.id }])).toHaveLength(1)
})

test('a bot that fails notifies its owner, is set aside, and leaves nothing half-done', async () => {
  const { org, anna, ben, bot } = await setting('followup')
  const client = await anna.register()
  const id = await say(ben, '@**Helper** remember the milk')
  const dms = [{ operator: 'is', operand: 'dm' }]
  const [notice] = await come(() => messagesAfter(anna, id, dms))
  expect(notice).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' })
  expect(notice!.content).toContain("Channel 'followup' does not exist")
  expect(notice!.content).toContain(`/near/${id}`)
  expect(await jobsOf(org, 'outgoing')).toMatchObject([{ parked_at: expect.any(Number) }])
  // It does not post where it may not, regardless of who names the channel.
  await org.channel({ name: 'followup', isPrivate: true, subscribers: [org.owner] })
  await say(ben, '@**Helper** remember the bread')
  const [, second] = await come(() => messagesAfter(anna, id, dms), 2)
  expect(second!.content).toContain('Not authorized to send')
  expect(await messagesAfter(ben, id, [{ operator: 'sender', operand: bot.id }])).toEqual([])
  await client.expectStateToMatch()
})

test('converter posts the converted amount', async () => {
  const { ben } = await setting('converter')
  const id = await say(ben, '12 km to mi? @**Helper**')
  const [reply] = await come(() => messagesAfter(ben, id))
  expect(reply!.content).toBe('12 km = **7.45645 mi**')
})

test('notes keeps separate notes for each user', async () => {
  const { anna, ben, bot } = await setting('notes')
  expect(await answer(ben, bot, 'save Milk two bottles\nfor @**Anna**')).toBe('I keep it.')
  expect(await answer(ben, bot, 'save bread one')).toBe('I keep it.')
  expect(await answer(ben, bot, 'list')).toBe('Your notes:\n\n- `bread`\n- `milk`')
  expect(await answer(ben, bot, 'show milk')).toBe('```quote\ntwo bottles\nfor @**Anna**\n```')
  expect(await answer(anna, bot, 'show milk')).toBe('You have no note of that name.')
  expect((await bot.get('/bot_storage')).body.storage).toEqual({
    [`note ${ben.id} bread`]: 'one',
    [`note ${ben.id} milk`]: 'two bottles\nfor @**Anna**',
  })
  expect(await answer(ben, bot, 'delete milk')).toBe('It is gone.')
  expect(Object.keys((await bot.get('/bot_storage')).body.storage)).toEqual([`note ${ben.id} bread`])
})

test('notes have a limit', async () => {
  const { ben, bot } = await setting('notes')
  const full = { big: 'x'.repeat(botLimits.botStorageLength - 10) }
  expect((await bot.put('/bot_storage', { storage: full })).body).toMatchObject(success)
  expect(await answer(ben, bot, 'save bread one')).toBe('I have no room for it left.')
  const many = Array.from({ length: noteLimits.notesPerPerson }, (_, i) => [`note ${ben.id} ${i}`, 'x'])
  await bot.put('/bot_storage', { storage: { ...Object.fromEntries(many), big: '' } })
  expect(await answer(ben, bot, 'save bread one')).toContain('delete one first')
  expect(await answer(ben, bot, 'save 7 other')).toBe('I keep it.')
})

test('bots, silent mentions and channels that it may not read do not trigger it', async () => {
  const { org, anna, ben, bot } = await setting('helloworld')
  const other = (await anna.post('/bots', { full_name: 'Parrot', short_name: 'parrot' })).body
  const { delivery_email: email } = org.state.users.require(other.user_id)
  const parrot = new Person(org.place, { id: other.user_id, name: 'Parrot', email, key: other.api_key })
  const id = await direct(parrot, [bot, ben], 'From bot to bot')
  await say(parrot, '@**Helper** hello')
  await direct(bot, [bot], 'To myself')
  await say(ben, 'All hear @_**Helper** and `@**Helper**`')
  const vault = await org.channel({ name: 'vault', isPrivate: true, subscribers: [ben] })
  await sendTo(ben, vault.id, 'tests', '@**Helper** a secret')
  expect(await jobsOf(org, 'outgoing')).toEqual([])
  const last = await say(ben, '@**Helper** hello')
  await come(() => messagesAfter(ben, last))
  await idle(org)
  expect(await messagesAfter(ben, id, [{ operator: 'sender', operand: bot.id }])).toHaveLength(1)
})

test('it replies once, on any node', async () => {
  const { org, ben, bot } = await setting('helloworld')
  const node = await all.anotherNode()
  const there = ben.at({ ...ben.place, port: node.port })
  const first = await say(ben, '@**Helper** 1')
  for (let i = 2; i <= 8; i++) await say(i % 2 ? ben : there, `@**Helper** ${i}`)
  await idle(org)
  const replies = await messagesAfter(ben, first, [{ operator: 'sender', operand: bot.id }])
  expect(replies).toHaveLength(8)
})

test('it replies in the order of the questions', async () => {
  const { org, ben, bot } = await setting('notes')
  const first = await direct(ben, [bot], 'save count 0')
  for (let i = 1; i <= 6; i++) {
    await direct(ben, [bot], `save count ${i}`)
    await direct(ben, [bot], 'show count')
  }
  await idle(org)
  const replies = await messagesAfter(ben, first, [{ operator: 'sender', operand: bot.id }])
  const shown = replies.map(({ content }) => /\d/.exec(content)?.[0]).filter(Boolean)
  expect(shown).toEqual(['1', '2', '3', '4', '5', '6'])
})

test('a deactivated bot does not reply, not even to earlier questions', async () => {
  const { org, anna, ben, bot } = await setting('helloworld')
  const id = await direct(ben, [bot], 'hello')
  await org.log.commit((change) => change.update('account', { id: bot.id, is_active: false }))
  await idle(org)
  expect(await messagesAfter(ben, id)).toEqual([])
  expect((await anna.post(`/users/${bot.id}/reactivate`)).body).toMatchObject(success)
  await anna.delete(`/bots/${bot.id}`)
  await say(ben, '@**Helper** hello')
  expect(await jobsOf(org, 'outgoing')).toEqual([])
})
