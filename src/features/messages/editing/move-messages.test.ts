import { describe, expect, test } from 'vitest'
import { contentsOf, messageIn, sender } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const move = (who: Person, id: number, params: object) => who.patch(`/messages/${id}`, { ...params })
const silently = { send_notification_to_new_thread: false }

describe('PATCH /messages/{id} with a new topic', () => {
  test.each([
    ['change_one', [1]],
    ['change_later', [1, 2]],
    ['change_all', [0, 1, 2]],
  ])('and %s moves the messages that belong to it', async (propagate_mode, moved) => {
    const org = await organization()
    const [anna, eve] = [await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [org.owner, anna] })
    const send = sender(anna, channel)
    const ids = [await send('lunch', 'a'), await send('lunch', 'b'), await send('lunch', 'c')]
    const [mine, theirs] = [await org.owner.register(), await eve.register()]

    const answer = await move(org.owner, ids[1]!, { topic: 'Dinner', propagate_mode, ...silently })

    expect(answer.status).toBe(200)
    expect(await mine.events()).toMatchObject([
      {
        type: 'update_message',
        message_id: ids[1],
        message_ids: moved.map((i) => ids[i]),
        propagate_mode,
        orig_subject: 'lunch',
        subject: 'Dinner',
        topic_links: [],
        stream_id: channel.id,
      },
    ])
    expect(await theirs.events()).toEqual([])
    await mine.expectStateToMatch()
    const topics = (await contentsOf(anna, channel)).map(([topic]) => topic)
    expect(topics).toEqual([0, 1, 2].map((i) => (moved.includes(i) ? 'Dinner' : 'lunch')))
    const first = await messageIn(anna, ids[moved[0]!]!)
    expect(first).toMatchObject({
      edit_history: [{ user_id: org.owner.id, topic: 'Dinner', prev_topic: 'lunch' }],
      last_moved_timestamp: expect.any(Number),
    })
    expect(first).not.toHaveProperty('last_edit_timestamp')
  })

  test('matches topics regardless of letter case', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const send = sender(org.owner, channel)
    const ids = [await send('lunch', 'a'), await send('LUNCH', 'b')]
    const client = await org.owner.register()
    await move(org.owner, ids[1]!, { topic: 'Lunch', propagate_mode: 'change_all', ...silently })
    await client.expectStateToMatch()
    const edits = await Promise.all(ids.map(async (id) => (await messageIn(org.owner, id)).edit_history))
    expect(edits).toMatchObject([
      [{ prev_topic: 'lunch', topic: 'Lunch' }],
      [{ prev_topic: 'LUNCH', topic: 'Lunch' }],
    ])
  })

  test('posts notices in both topics if requested', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner], name: 'food' })
    const send = sender(org.owner, channel)
    const ids = [await send('lunch', 'a'), await send('lunch', 'b'), await send('lunch', 'c')]
    const both = { send_notification_to_old_thread: true }
    const by = `by @_**Owner|${org.owner.id}**.`
    await move(org.owner, ids[0]!, { topic: 'tea', ...both })
    const link = `http://${org.place.host}/#narrow/channel/${channel.id}-food/topic/tea/near/${ids[0]}`
    expect((await contentsOf(org.owner, channel)).slice(3)).toEqual([
      ['tea', `[A message](${link}) was moved here from #**food>lunch** ${by}`],
      ['lunch', `A message was moved from this topic to #**food>tea** ${by}`],
    ])
    await move(org.owner, ids[1]!, { topic: 'Tea', propagate_mode: 'change_all', ...both })
    expect((await contentsOf(org.owner, channel)).slice(5)).toEqual([
      ['Tea', `3 messages were moved here from #**food>lunch** ${by}`],
      ['lunch', `This topic was moved to #**food>Tea** ${by}`],
    ])
    await move(org.owner, ids[1]!, { topic: 'fresh', propagate_mode: 'change_all' })
    expect((await contentsOf(org.owner, channel)).at(-1)).toEqual([
      'fresh',
      `This topic was moved here from #**food>Tea** ${by}`,
    ])
  })

  test('posts notices that do not depend on protected history', async () => {
    const org = await organization()
    const ann = await org.person()
    const protect = { subscribers: [org.owner], isPrivate: true, hasOpenHistory: false }
    const [from, to] = [await org.channel(protect), await org.channel(protect)]
    await sender(org.owner, from)('tea', 'before Ann came')
    await sender(org.owner, to)('tea', 'before Ann came')
    const principals = [ann.id]
    for (const { name } of [from, to]) {
      await org.owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals })
    }
    const send = sender(org.owner, from)
    const [one, only, whole] = [await send('tea', 'a'), await send('pie', 'b'), await send('cake', 'c')]
    const both = { stream_id: to.id, send_notification_to_old_thread: true }
    for (const id of [one, only]) await move(org.owner, id, { topic: 'coffee', ...both })
    await move(org.owner, whole, { topic: 'tea', propagate_mode: 'change_all', ...both })
    const notices = [...(await contentsOf(ann, from)), ...(await contentsOf(ann, to))]
      .filter(([, text]) => text.includes('moved'))
      .map(([topic, text]) => `${topic}: ${text.replace(/\]\(.*?\)|#.*/g, '')}`)
    expect(notices).toEqual([
      'tea: A message was moved from this topic to ',
      'pie: A message was moved from this topic to ',
      'cake: This topic was moved to ',
      'coffee: [A message was moved here from ',
      'coffee: [A message was moved here from ',
      'tea: This topic was moved here from ',
    ])
  })

  test('moves the followers and muters of the topic along', async () => {
    const org = await organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [org.owner, anna, ben] })
    const id = await sender(org.owner, channel)('old', 'a')
    for (const [who, visibility_policy] of [
      [anna, 3],
      [ben, 1],
    ] as const) {
      await who.post('/user_topics', { stream_id: channel.id, topic: 'old', visibility_policy })
    }
    const clients = [await anna.register(), await ben.register()]
    await move(org.owner, id, { topic: 'new', propagate_mode: 'change_all', ...silently })
    for (const client of clients) await client.expectStateToMatch()
    expect(await policies(anna)).toEqual([['new', 3]])
    expect(await policies(ben)).toEqual([['new', 1]])
  })

  test('that exists merges both topics, and the more visible policy wins', async () => {
    const org = await organization()
    const anna = await org.person()
    const channel = await org.channel({ subscribers: [org.owner, anna] })
    const [id] = [await sender(org.owner, channel)('old', 'a'), await sender(org.owner, channel)('new', 'b')]
    const [ben, carl] = [await org.person(), await org.person()]
    const set = (who: Person, topic: string, visibility_policy: number) =>
      who.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })
    await set(anna, 'old', 1)
    await set(ben, 'new', 1)
    await set(carl, 'new', 3)
    const clients = [await anna.register(), await ben.register(), await carl.register()]
    await move(org.owner, id, { topic: 'new', propagate_mode: 'change_all' })
    expect(await policies(anna)).toEqual([])
    expect(await policies(ben)).toEqual([])
    expect(await policies(carl)).toEqual([['new', 3]])
    for (const client of clients) await client.expectStateToMatch()
  })

  test('moves a large topic in steps, each with its own event', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const other = await org.channel({ subscribers: [org.owner] })
    const ids = await fill(org, channel, 'large', 2_300)
    const client = await org.owner.register()
    await move(org.owner, ids[1_500]!, { stream_id: other.id, propagate_mode: 'change_all', ...silently })
    const moves = (await client.events()).filter((event) => event.type === 'update_message')
    expect(moves.map((event) => event.message_ids.length)).toEqual([1000, 1000, 300])
    expect(moves.flatMap((event) => event.message_ids)).toEqual(ids)
    await client.expectStateToMatch()
    expect(await contentsOf(org.owner, channel)).toEqual([])
    expect(await contentsOf(org.owner, other)).toHaveLength(2_300)
  })

  test('moves long texts in smaller steps, as all of them is indexed again', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const send = sender(org.owner, channel)
    const ids: number[] = []
    for (let i = 0; i < 30; i++) ids.push(await send('long', '会議室の予約'.repeat(1_500)))
    const client = await org.owner.register()
    await move(org.owner, ids[0]!, { topic: 'longer', propagate_mode: 'change_all', ...silently })
    const moves = (await client.events()).filter((event) => event.type === 'update_message')
    expect(moves.map((event) => event.message_ids.length)).toEqual([19, 11])
    expect(moves.flatMap((event) => event.message_ids)).toEqual(ids)
    await client.expectStateToMatch()
  })
})

describe('PATCH /messages/{id} with ✔ in front of the topic', () => {
  test('resolves it, and users who do not follow it get the notice as read', async () => {
    const org = await organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [org.owner, anna, ben] })
    const id = await sender(org.owner, channel)('bug', 'a')
    await anna.post('/user_topics', { stream_id: channel.id, topic: 'bug', visibility_policy: 3 })
    const [hers, his] = [await anna.register(), await ben.register()]
    await move(ben, id, { topic: '✔ bug', propagate_mode: 'change_all' })
    expect((await hers.events()).at(-1)).toMatchObject({ type: 'message', flags: [] })
    expect((await his.events()).at(-1)).toMatchObject({ type: 'message', flags: ['read'] })
    for (const client of [hers, his]) await client.expectStateToMatch()
    expect((await contentsOf(org.owner, channel)).at(-1)).toEqual([
      '✔ bug',
      `@_**${ben.name}|${ben.id}** has marked this topic as resolved.`,
    ])
    const message = await messageIn(org.owner, id)
    expect(message).not.toHaveProperty('last_moved_timestamp')
    expect(message.edit_history).toMatchObject([{ topic: '✔ bug', prev_topic: 'bug' }])
  })

  test('and undoing it immediately leaves no notice, but undoing it later does', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const id = await sender(org.owner, channel)('bug', 'a')
    const rename = (topic: string) => move(org.owner, id, { topic, propagate_mode: 'change_all' })
    await rename('✔ bug')
    await sender(org.owner, channel)('other', 'newer')
    const client = await org.owner.register()
    await rename('bug')
    const types = (await client.events()).map((event) => event.type)
    expect(types.slice(-2)).toEqual(['update_message', 'delete_message'])
    await client.expectStateToMatch()
    expect(await contentsOf(org.owner, channel)).toEqual([
      ['bug', 'a'],
      ['other', 'newer'],
    ])
    await rename('✔ bug')
    await sender(org.owner, channel)('✔ bug', 'still there')
    await rename('bug')
    expect((await contentsOf(org.owner, channel)).at(-1)).toEqual([
      'bug',
      `@_**Owner|${org.owner.id}** has marked this topic as unresolved.`,
    ])
  })
})

async function policies(person: Person) {
  const { body } = await person.post('/register', { event_types: ['user_topic'] })
  return body.user_topics.map((one: { topic_name: string; visibility_policy: number }) => [
    one.topic_name,
    one.visibility_policy,
  ])
}

/** Writes many messages of the owner into one topic. Returns their ids. */
function fill(org: Organization, channel: { recipient_id: number }, topic: string, count: number) {
  return org.log.commit(async (change) => {
    const message = {
      recipient_id: channel.recipient_id,
      sender_id: org.owner.id,
      topic,
      content: 'x',
      rendered_content: '<p>x</p>',
      rendered_version: 1,
      client: 'test',
      sent_at: change.now,
    }
    const rows = Array.from({ length: count }, () => ({ ...message, id: change.nextMessageId() }))
    await change.insertAll('message', rows)
    await change.noteBounds(channel.recipient_id)
    // A change that emits no event does not advance the log.
    change.emit({ type: 'invites_changed' }, { users: [] })
    return rows.map((row) => row.id)
  })
}
