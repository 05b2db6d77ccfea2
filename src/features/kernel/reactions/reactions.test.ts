import { expect, test } from 'vitest'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { png, sendFiles } from '../../../../test/pictures.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function setting(options: { isPrivate?: boolean; hasOpenHistory?: boolean } = {}) {
  const { org, anna, ben, channel } = await annaAndBen(await organization(), options)
  const sent = await anna.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'x' })
  return { org, anna, ben, channel, id: sent.body.id as number }
}

function react(who: Person, id: number, emoji: object) {
  return who.post(`/messages/${id}/reactions`, { ...emoji })
}

async function reactionsOf(who: Person, id: number) {
  const single = (await who.get(`/messages/${id}`)).body.message.reactions
  const [listed] = (await who.get('/messages', { message_ids: [id] })).body.messages
  expect(listed.reactions).toEqual(single)
  return single
}

const smile = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }

test('a reaction is added, shown and removed, with events', async () => {
  const { anna, ben, id } = await setting()
  const [hers, his] = [await anna.register(), await ben.register()]
  expect((await react(ben, id, { emoji_name: 'smile' })).body).toEqual({ result: 'success', msg: '' })
  const told = { type: 'reaction', op: 'add', message_id: id, user_id: ben.id, ...smile }
  expect(await hers.events()).toMatchObject([
    { ...told, user: { user_id: ben.id, full_name: ben.name, email: ben.email } },
  ])
  expect(await his.events()).toMatchObject([told])
  expect(await reactionsOf(anna, id)).toEqual([{ ...smile, user_id: ben.id }])
  const taken = await ben.delete(`/messages/${id}/reactions`, { emoji_name: 'smile' })
  expect(taken.status).toBe(200)
  expect(await hers.events()).toMatchObject([{ ...told, op: 'remove' }])
  expect(await reactionsOf(anna, id)).toEqual([])
})

test('a user reacts only once with the same emoji, even with concurrent requests', async () => {
  const { ben, id } = await setting()
  const answers = await Promise.all([1, 2, 3].map(() => react(ben, id, { emoji_name: '+1' })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400])
  const again = await react(ben, id, { emoji_name: 'thumbs_up', emoji_code: '1f44d' })
  expect(again.body).toMatchObject({ code: 'REACTION_ALREADY_EXISTS', msg: 'Reaction already exists.' })
  await ben.delete(`/messages/${id}/reactions`, { emoji_code: '1f44d', reaction_type: 'unicode_emoji' })
  const gone = await ben.delete(`/messages/${id}/reactions`, { emoji_name: '+1' })
  expect(gone.body).toMatchObject({ code: 'REACTION_DOES_NOT_EXIST', msg: "Reaction doesn't exist." })
})

test('a user who joins a reaction gets its name', async () => {
  const { anna, ben, id } = await setting()
  await react(ben, id, { emoji_name: 'thumbs_up' })
  await react(anna, id, { emoji_name: '+1' })
  await react(anna, id, { emoji_name: 'tada' })
  const rows: { emoji_name: string; user_id: number }[] = await reactionsOf(anna, id)
  expect(rows.map((row) => [row.emoji_name, row.user_id])).toEqual([
    ['thumbs_up', ben.id],
    ['thumbs_up', anna.id],
    ['tada', anna.id],
  ])
})

test('the extra emoji has two spellings, of which clients know one', async () => {
  const { anna, ben, id } = await setting()
  const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
  await react(ben, id, { emoji_name: 'zulip' })
  await react(anna, id, { ...extra, reaction_type: 'service_extra_emoji' })
  expect(await reactionsOf(ben, id)).toEqual([
    { ...extra, user_id: ben.id },
    { ...extra, user_id: anna.id },
  ])
  for (const [who, reaction_type] of [
    [ben, 'zulip_extra_emoji'],
    [anna, 'service_extra_emoji'],
  ] as const) {
    const answer = await who.delete(`/messages/${id}/reactions`, { emoji_code: 'zulip', reaction_type })
    expect(answer.status).toBe(200)
  }
})

test.each([
  [{}, "Missing 'emoji_name' argument"],
  [{ emoji_name: 'nosuch' }, "Emoji 'nosuch' does not exist"],
  [{ ...smile, emoji_code: 'zzz' }, 'Invalid emoji code.'],
  [{ ...smile, emoji_name: 'tada' }, 'Invalid emoji name.'],
  [{ ...smile, reaction_type: 'bogus' }, 'Invalid emoji type.'],
  [{ emoji_name: 'x', emoji_code: '999', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
  [{ emoji_name: 'x', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji name.'],
  [{ emoji_name: 'x', emoji_code: 'x', reaction_type: 'service_extra_emoji' }, 'Invalid emoji code.'],
  [{ emoji_name: 'toString', emoji_code: 'toString', reaction_type: 'unicode_emoji' }, 'Invalid emoji code.'],
])('%j is refused', async (emoji, msg) => {
  const { ben, id } = await setting()
  expect(await react(ben, id, emoji)).toMatchObject({ status: 400, body: { msg } })
})

test('removing a reaction requires a name or a code', async () => {
  const { ben, id } = await setting()
  const remove = async (params: object) =>
    (await ben.delete(`/messages/${id}/reactions`, { ...params })).body.msg
  expect(await remove({})).toBe(
    'At least one of the following arguments must be present: emoji_name, emoji_code',
  )
  expect(await remove({ emoji_name: 'nosuch' })).toBe("Emoji 'nosuch' does not exist")
  for (const emoji of [smile, { ...smile, reaction_type: 'bogus' }]) {
    expect(await remove(emoji)).toBe("Reaction doesn't exist.")
  }
})

test.each([
  [{ emoji_code: 'zzz' }, 'Invalid emoji code.'],
  [{ ...smile, emoji_code: 'zzz' }, 'Invalid emoji code.'],
  [{ emoji_code: '999', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
  [{ emoji_code: 'x', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji code.'],
])('refuses to remove an unknown emoji: %j', async (emoji, msg) => {
  const { ben, id } = await setting()
  const answer = await ben.delete(`/messages/${id}/reactions`, emoji)
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } })
})

test('every emoji is removed by the name with which it was added, even a deactivated one', async () => {
  const { org, ben, id } = await setting()
  const add = (name: string) => sendFiles(org.owner, 'POST', `/realm/emoji/${name}`, [{ content: picture }])
  const picture = await png()
  expect((await add('ours')).status).toBe(200)
  for (const emoji_name of ['ours', 'zulip', 'thumbs_up']) {
    expect((await react(ben, id, { emoji_name })).status).toBe(200)
  }
  await org.owner.delete('/realm/emoji/ours')
  for (const emoji_name of ['ours', 'zulip', '+1']) {
    const answer = await ben.delete(`/messages/${id}/reactions`, { emoji_name })
    expect(answer.body).toEqual({ result: 'success', msg: '' })
  }
  expect(await reactionsOf(ben, id)).toEqual([])
})

test('users who may not read a message neither react to it nor receive its reactions', async () => {
  const { org, anna, id } = await setting({ isPrivate: true })
  const eve = await org.person()
  const client = await eve.register()
  expect((await react(eve, id, smile)).body.msg).toBe('Invalid message(s)')
  expect((await react(eve, 987_654_321, smile)).body.msg).toBe('Invalid message(s)')
  await react(anna, id, smile)
  expect(await client.events()).toEqual([])
})

test('users who subscribed later receive reactions to old messages only where the history is open', async () => {
  for (const hasOpenHistory of [true, false]) {
    const { org, anna, channel, id } = await setting({ isPrivate: true, hasOpenHistory })
    const late = await org.person()
    await anna.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: [late.id],
    })
    const client = await late.register({ event_types: ['reaction'] })
    await react(anna, id, smile)
    expect(await client.events()).toHaveLength(hasOpenHistory ? 1 : 0)
  }
})

test('users who have left a private channel receive no more reactions', async () => {
  const { anna, ben, channel, id } = await setting({ isPrivate: true })
  const his = await ben.register({ event_types: ['reaction'] })
  await ben.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await react(anna, id, smile)
  expect(await his.events()).toEqual([])
})

test('users who have left a public channel still receive reactions, unless they are guests', async () => {
  const org = await organization()
  const [anna, ben, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ subscribers: [anna, ben, guest] })
  const sent = await anna.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'x' })
  const clients = [await ben.register(), await guest.register({ event_types: ['reaction'] })]
  for (const who of [ben, guest]) {
    await who.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  }
  await react(anna, sent.body.id, smile)
  const types = await Promise.all(clients.map(async (one) => (await one.events()).map(({ type }) => type)))
  expect(types[0]).toContain('reaction')
  expect(types[1]).not.toContain('reaction')
})

test('users who have reacted receive other reactions, too, as long as they may read the message', async () => {
  const { org, anna, channel, id } = await setting()
  const passing = await org.person()
  await react(passing, id, smile)
  const client = await passing.register({ event_types: ['reaction'] })
  await react(anna, id, smile)
  await anna.delete(`/messages/${id}/reactions`, smile)
  expect((await client.events()).map((event) => event.op)).toEqual(['add', 'remove'])
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  await react(anna, id, smile)
  expect(await client.events()).toEqual([])
})

test('in a direct conversation, its participants receive reactions', async () => {
  const { org, anna, ben } = await setting()
  const eve = await org.person()
  const sent = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
  const [his, hers] = [await ben.register(), await eve.register()]
  await react(anna, sent.body.id, smile)
  expect(await his.events()).toMatchObject([{ type: 'reaction', op: 'add', user_id: anna.id }])
  expect(await hers.events()).toEqual([])
})

test('a reaction that has its own event is not also in the earlier message event', async () => {
  const { anna, ben, channel } = await setting()
  const client = await ben.register()
  const sent = await anna.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'y' })
  await react(anna, sent.body.id, smile)
  expect(await client.events()).toMatchObject([
    { type: 'message', message: { id: sent.body.id, reactions: [] } },
    { type: 'reaction', message_id: sent.body.id },
  ])
})
