import { describe, expect, test } from 'vitest'
import { changeRealm, contentsOf, sender } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization, pass } = testServer({ standsStill: true })

const week = 604_800

describe('permission to move messages', () => {
  const denied = {
    topic: "You don't have permission to edit this message",
    resolve: "You don't have permission to resolve topics.",
    channel: "You don't have permission to move this message",
  }

  test.each([
    ['topic', 'can_move_messages_between_topics_group', 'can_move_messages_within_channel_group'],
    ['resolve', 'can_resolve_topics_group', 'can_resolve_topics_group'],
    ['channel', 'can_move_messages_between_channels_group', 'can_move_messages_out_of_channel_group'],
  ] as const)('%s: by the organization or by the channel', async (what, inRealm, inChannel) => {
    const org = await organization()
    const anna = await org.person()
    const strict = await org.channel({ subscribers: [anna] })
    const free = await org.channel({ subscribers: [anna], permissions: { [inChannel]: 'role:members' } })
    const led = await org.channel({ subscribers: [anna], creator: anna })
    const target = await org.channel({ subscribers: [anna] })
    const attempt = async (channel: typeof strict) => {
      const id = await sender(org.owner, channel)('t', 'a')
      const wanted = { topic: { topic: 'new' }, resolve: { topic: '✔ t' }, channel: { stream_id: target.id } }
      return (await anna.patch(`/messages/${id}`, wanted[what])).body.msg
    }
    expect(await attempt(strict)).toBe('')
    await changeRealm(org, { [inRealm]: org.group('role:nobody') })
    expect(await attempt(strict)).toBe(denied[what])
    expect(await attempt(free)).toBe('')
    expect(await attempt(led)).toBe(what === 'resolve' ? denied.resolve : '')
  })

  test.each([
    ['topic', 'new', 'can_move_messages_between_topics_group', 'can_move_messages_within_channel_group'],
    ['resolve', '✔ t', 'can_resolve_topics_group', 'can_resolve_topics_group'],
  ] as const)('%s: or by the channel where the message goes', async (what, topic, inRealm, inChannel) => {
    const org = await organization()
    const anna = await org.person()
    const from = await org.channel({ subscribers: [anna] })
    const strict = await org.channel()
    const free = await org.channel({ permissions: { [inChannel]: 'role:members' } })
    await changeRealm(org, { [inRealm]: org.group('role:nobody') })
    const id = await sender(org.owner, from)('t', 'a')
    const move = async (stream_id: number) =>
      (await anna.patch(`/messages/${id}`, { stream_id, topic })).body.msg
    expect(await move(strict.id)).toBe(denied[what])
    expect(await move(free.id)).toBe('')
  })

  test('users cannot move messages to channels that they may not read', async () => {
    const org = await organization()
    const [anna, owner] = [await org.person(), org.owner]
    const bot = await org.bot(anna)
    const open = await org.channel({ subscribers: [bot] })
    const hidden = await org.channel({ subscribers: [anna], isPrivate: true })
    const id = await sender(bot, open)('t', 'a')
    for (const person of [owner, bot]) {
      const { body } = await person.patch(`/messages/${id}`, { stream_id: hidden.id })
      expect(body.msg).toBe('Invalid channel ID')
    }
  })

  test('guests may not move messages between channels, even as members of a permitted group', async () => {
    const org = await organization()
    const guest = await org.person({ role: 'guest' })
    const [from, to] = [
      await org.channel({ subscribers: [guest] }),
      await org.channel({ subscribers: [guest] }),
    ]
    await changeRealm(org, { can_move_messages_between_channels_group: org.group('role:everyone') })
    const id = await sender(guest, from)('t', 'a')
    expect((await guest.patch(`/messages/${id}`, { stream_id: to.id })).body.msg).toBe(denied.channel)
  })

  test('members may move messages for a week, moderators without a time limit', async () => {
    const org = await organization()
    const [anna, mod] = [await org.person(), await org.person({ role: 'moderator' })]
    const from = await org.channel({ subscribers: [anna, mod] })
    const to = await org.channel({ subscribers: [anna, mod] })
    const send = sender(anna, from)
    const old = await send('t', 'old')
    pass(week + 21)
    const young = [await send('t', 'young'), await send('t', 'younger')]
    const msg = async (who: typeof anna, id: number, params: object) =>
      (await who.patch(`/messages/${id}`, { ...params })).body
    expect((await msg(anna, old, { topic: 'x' })).msg).toBe(
      "The time limit for editing this message's topic has passed.",
    )
    expect((await msg(anna, old, { stream_id: to.id })).msg).toBe(
      "The time limit for editing this message's channel has passed",
    )
    expect(await msg(anna, young[0]!, { topic: 'x', propagate_mode: 'change_all' })).toEqual({
      result: 'error',
      msg: 'You only have permission to move the 2/3 most recent messages in this topic.',
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: young[0],
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 2,
    })
    expect((await msg(anna, old, { topic: '✔ t', propagate_mode: 'change_all' })).msg).toBe('')
    expect((await msg(anna, young[0]!, { topic: 'x', propagate_mode: 'change_later' })).msg).toBe('')
    expect((await msg(mod, old, { stream_id: to.id, propagate_mode: 'change_all' })).msg).toBe('')
  })

  test('users cannot move messages to topics that the channel does not allow', async () => {
    const org = await organization()
    const [named, nameless, free] = await Promise.all([org.channel(), org.channel(), org.channel()])
    await setPolicy(org, named.id, 'disable_empty_topic')
    await setPolicy(org, nameless.id, 'empty_topic_only')
    const id = await sender(org.owner, free)('t', 'a')
    const bare = await sender(org.owner, free)('', 'b')
    const answer = async (id: number, params: object) =>
      (await org.owner.patch(`/messages/${id}`, { ...params })).body
    expect(await answer(bare, { stream_id: named.id })).toMatchObject({
      msg: 'Sending messages to the general chat is not allowed in this channel.',
      empty_topic_display_name: 'general chat',
    })
    expect(await answer(id, { stream_id: nameless.id })).toMatchObject({
      msg: 'Only the general chat topic is allowed in this channel.',
      empty_topic_display_name: 'general chat',
    })
    expect(await answer(id, { stream_id: nameless.id, topic: '' })).toMatchObject({ result: 'success' })
    expect((await contentsOf(org.owner, nameless))[0]).toEqual(['', 'a'])
  })
})

describe('permission to delete messages', () => {
  const denied = "You don't have permission to delete this message"

  test('users who may delete any message of the organization or channel must also be able to read it', async () => {
    const org = await organization()
    const anna = await org.person()
    const strict = await org.channel({ subscribers: [anna] })
    const permissions = { can_delete_any_message_group: 'role:members' } as const
    const free = await org.channel({ subscribers: [anna], permissions })
    const attempt = async (channel: typeof strict) => {
      const id = await sender(org.owner, channel)('t', 'a')
      pass(700)
      return (await anna.delete(`/messages/${id}`)).body.msg
    }
    expect(await attempt(strict)).toBe(denied)
    expect(await attempt(free)).toBe('')
    await changeRealm(org, { can_delete_any_message_group: org.group('role:members') })
    expect(await attempt(strict)).toBe('')
    const hidden = await org.channel({ subscribers: [org.owner], isPrivate: true })
    expect(await attempt(hidden)).toBe('Invalid message(s)')
  })

  test('senders may delete for a limited time, and so may bot owners', async () => {
    const org = await organization()
    const anna = await org.person()
    const bot = await org.bot(anna)
    const permissions = { can_delete_own_message_group: 'role:members' } as const
    const strict = await org.channel({ subscribers: [anna, bot] })
    const free = await org.channel({ subscribers: [anna, bot], permissions })
    const attempt = async (who: typeof anna, channel: typeof strict, age: number) => {
      const id = await sender(who, channel)('t', 'a')
      pass(age)
      return (await anna.delete(`/messages/${id}`)).body.msg
    }
    expect(await attempt(anna, strict, 600)).toBe('')
    expect(await attempt(bot, strict, 0)).toBe('')
    expect(await attempt(anna, strict, 601)).toBe('The time limit for deleting this message has passed')
    await changeRealm(org, { can_delete_own_message_group: org.group('role:administrators') })
    expect(await attempt(anna, strict, 0)).toBe(denied)
    expect(await attempt(anna, free, 0)).toBe('')
    const { body } = await anna.post('/messages', { type: 'direct', to: [org.owner.id], content: 'x' })
    expect((await anna.delete(`/messages/${body.id}`)).body.msg).toBe(denied)
  })
})

function setPolicy(org: Organization, id: number, topics_policy: string) {
  return org.owner.patch(`/streams/${id}`, { topics_policy })
}
