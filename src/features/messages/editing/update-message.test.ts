import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { changeRealm, messageIn, sender } from '../../../../test/messages.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization, pass } = testServer()

describe('PATCH /messages/{id} with a new text', () => {
  test('changes it for everyone who has the message, and notifies no other user', async () => {
    const org = await organization()
    const [anna, ben, eve] = [await org.person(), await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [anna, ben] })
    const send = sender(anna, channel)
    const [id] = [await send('lunch', 'Soup?'), await send('lunch', 'Bread!')]
    const [hers, his, theirs] = [await anna.register(), await ben.register(), await eve.register()]

    const answer = await anna.patch(`/messages/${id}`, { content: 'Soup, **now**' })

    expect(answer.body).toEqual({ result: 'success', msg: '', detached_uploads: [] })
    const event = {
      type: 'update_message',
      user_id: anna.id,
      message_id: id,
      message_ids: [id],
      rendering_only: false,
      stream_id: channel.id,
      stream_name: channel.name,
      orig_content: 'Soup?',
      orig_rendered_content: '<p>Soup?</p>',
      content: 'Soup, **now**',
      rendered_content: '<p>Soup, <strong>now</strong></p>',
      is_me_message: false,
      flags: [],
      edit_timestamp: expect.any(Number),
      id: expect.any(Number),
    }
    expect(await his.events()).toEqual([event])
    expect(await hers.events()).toEqual([event])
    expect(await theirs.events()).toEqual([])
    for (const client of [hers, his, theirs]) await client.expectStateToMatch()
    expect(await messageIn(ben, id)).toMatchObject({
      content: '<p>Soup, <strong>now</strong></p>',
      last_edit_timestamp: expect.any(Number),
      edit_history: [{ user_id: anna.id, prev_content: 'Soup?', prev_rendered_content: '<p>Soup?</p>' }],
    })
    expect(await messageIn(ben, id)).not.toHaveProperty('last_moved_timestamp')
  })

  test('updates the mentioned users', async () => {
    const org = await organization()
    const [anna, ben] = [await org.person({ name: 'Anna A' }), await org.person({ name: 'Ben B' })]
    const channel = await org.channel({ subscribers: [org.owner, anna, ben] })
    const id = await sender(org.owner, channel)('lunch', 'Dear @**Anna A**')
    const [hers, his] = [await anna.register(), await ben.register()]
    await org.owner.patch(`/messages/${id}`, { content: 'Dear @**Ben B**' })
    expect(await hers.events()).toMatchObject([{ flags: [] }])
    expect(await his.events()).toMatchObject([{ flags: ['mentioned'] }])
    for (const client of [hers, his]) await client.expectStateToMatch()
    await org.owner.patch(`/messages/${id}`, { content: 'Dear @**all**' })
    expect(await hers.events()).toMatchObject([
      { flags: ['stream_wildcard_mentioned', 'wildcard_mentioned'] },
    ])
    await hers.expectStateToMatch()
  })

  test('of a direct message notifies only the participants', async () => {
    const org = await organization()
    const [anna, ben, eve] = [await org.person(), await org.person(), await org.person()]
    const { body } = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'psst' })
    const [his, theirs] = [await ben.register(), await eve.register()]
    await anna.patch(`/messages/${body.id}`, { content: '' })
    const [event] = await his.events()
    expect(event).toMatchObject({ content: '(deleted)', message_ids: [body.id] })
    expect(event).not.toHaveProperty('stream_id')
    expect(await theirs.events()).toEqual([])
    await his.expectStateToMatch()
    for (const [params, msg] of [
      [{ topic: 'x' }, 'Direct messages cannot have topics.'],
      [{ stream_id: 1 }, 'Direct messages cannot be moved to channels.'],
    ] as const) {
      expect((await anna.patch(`/messages/${body.id}`, params)).body.msg).toBe(msg)
    }
    expect((await eve.patch(`/messages/${body.id}`, { content: 'x' })).body.msg).toBe('Invalid message(s)')
  })

  test("sends the event with the reader's flags on the message", async () => {
    const org = await organization()
    const anna = await org.person()
    const channel = await org.channel({ subscribers: [org.owner, anna] })
    const id = await sender(org.owner, channel)('t', 'one')
    for (const flag of ['read', 'starred']) {
      await anna.post('/messages/flags', { messages: [id], op: 'add', flag })
    }
    const client = await anna.register()
    await org.owner.patch(`/messages/${id}`, { content: 'two' })
    expect((await client.events())[0]?.flags.sort()).toEqual(['read', 'starred'])
  })

  test('that a client fetches late sends every text, but none of a deleted message', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const send = sender(org.owner, channel)
    await send('t', 'before')
    const early = await org.owner.register({ apply_markdown: false })
    const late = await org.owner.register({ apply_markdown: false })
    const id = await send('t', 'one')
    await org.owner.patch(`/messages/${id}`, { content: 'two' })
    await org.owner.patch(`/messages/${id}`, { topic: 'elsewhere' })
    await org.owner.patch(`/messages/${id}`, { content: 'three' })
    const texts = (await early.events())
      .filter((event) => event.message_id === id && event.content)
      .map((event) => [event.orig_content, event.content])
    expect(texts).toEqual([
      ['one', 'two'],
      ['two', 'three'],
    ])
    await early.expectStateToMatch()
    await org.owner.delete(`/messages/${id}`)
    const heard = await late.events()
    expect(JSON.stringify(heard)).not.toMatch(/"(one|two|three)"/)
    expect(heard.filter((event) => 'content' in event)).toEqual([])
    await late.expectStateToMatch()
  })

  test('is checked against the text that the author started from', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const id = await sender(org.owner, channel)('t', 'one')
    const edit = (hash: string, content: string) =>
      org.owner.patch(`/messages/${id}`, { content, prev_content_sha256: hash })
    const hash = createHash('sha256').update('one').digest('hex')
    expect((await edit(hash, 'two')).status).toBe(200)
    expect((await edit(hash, 'three')).body).toEqual({
      result: 'error',
      msg: "'prev_content_sha256' value does not match the expected value.",
      code: 'EXPECTATION_MISMATCH',
    })
  })

  test('is refused to other users, after the time limit, and where editing is disabled', async () => {
    const org = await organization()
    const anna = await org.person()
    const channel = await org.channel({ subscribers: [org.owner, anna] })
    const id = await sender(anna, channel)('t', 'one')
    const msg = async (who: typeof anna, params: object) =>
      (await who.patch(`/messages/${id}`, { ...params })).body.msg
    expect(await msg(org.owner, { content: 'x' })).toBe("You don't have permission to edit this message")
    expect(await msg(anna, {})).toBe('Nothing to change')
    expect(await msg(anna, { topic: 't' })).toBe('Nothing to change')
    expect(await msg(anna, { content: 'x', propagate_mode: 'change_all' })).toBe(
      'Invalid propagate_mode without topic edit',
    )
    expect(await msg(anna, { content: 'x', stream_id: channel.id })).toBe(
      'Cannot change message content while changing channel',
    )
    expect(await msg(anna, { topic: '✔ general chat' })).toBe('General chat cannot be marked as resolved')
    expect(await msg(anna, { topic: 'x', propagate_mode: 'zap' })).toBe('Invalid propagate_mode')
    pass(600)
    expect(await msg(anna, { content: 'in time' })).toBe('')
    pass(21)
    expect(await msg(anna, { content: 'x' })).toBe('The time limit for editing this message has passed')
    await changeRealm(org, { allow_message_editing: false })
    expect(await msg(anna, { content: 'x' })).toBe('Your organization has turned off message editing')
  })

  test('is refused for widgets', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const id = await sender(org.owner, channel)('t', '/poll Where?')
    const { body } = await org.owner.patch(`/messages/${id}`, { content: 'x' })
    expect(body.msg).toBe('Widgets cannot be edited.')
  })
})
