import { expect, test } from 'vitest'
import type { Organization } from '../../../../../test/organization.ts'
import { Person } from '../../../../../test/person.ts'
import { pickFrom, randomFrom, seedOfRun } from '../../../../../test/random/random.ts'
import { tries } from '../../../../../test/runner/effort.ts'
import { testServer } from '../../../../../test/test-server.ts'
import { readRecent } from '../../../kernel/flags/read-recent-messages.ts'

const { organization, anotherNode } = testServer()

const topics = ['lunch', 'Lunch', 'İstanbul', 'tea']
const texts = ['hello', '**tea**?', '@**all** up', 'who has milk', '/me waves', '/poll Tea?\nyes']
const changes = tries(400)

type Term = { operator: string; operand: unknown; negated?: true }

/** All messages but one that does not exist. */
const anyMessage: Term = { operator: 'id', operand: 999_999_999, negated: true }

const compressed = { headers: { 'accept-encoding': 'gzip' } }

/**
 * Asks for a narrow three times, and expects the same page. The newest messages of a place may come from memory, and so may a
 * compressed page of them. With a term that excludes nothing, they come from the database.
 */
async function expectSamePage(reader: Person, place: Term[], more: object) {
  const page = (narrow: Term[], options = {}) =>
    reader.get('/messages', { anchor: 'newest', num_after: 0, ...more, narrow }, options)
  const [memory, database] = [await page(place), await page([...place, anyMessage])]
  expect(memory.body).toMatchObject({ result: 'success' })
  expect(memory.body).toEqual(database.body)
  expect((await page(place, compressed)).body).toEqual(database.body)
}

/** Expects the same unread messages on two nodes, of which only this one may have messages in memory. */
async function expectSameUnread({ people }: Scene, index: number) {
  const types = ['message', 'update_message_flags']
  const unreadOf = async (person: Person) => {
    const { body } = await person.post('/register', { event_types: types })
    await person.delete('/events', { queue_id: body.queue_id })
    return body.unread_msgs
  }
  const [memory, database] = [await unreadOf(people[index]!), await unreadOf(people[index + 4]!)]
  expect(memory).toEqual(database)
}

test('pages and unread messages from memory are those of the database, whatever happens on two nodes', async () => {
  const random = randomFrom(seedOfRun('pages from memory'))
  const pick = <T>(items: readonly T[]) => pickFrom(random, items)
  const scene = await sceneOnTwoNodes()
  const own: number[] = []
  for (let i = 0; i < changes; i++) {
    await anything(scene, own, random)
    const place = pick(scene.places)
    const more = {
      num_before: pick([3, 10, 100]),
      apply_markdown: pick([true, true, false]),
      client_gravatar: pick([true, false]),
      allow_empty_topic_name: pick([true, false]),
      ...pick([
        {},
        {},
        { anchor: pick(own), num_after: pick([2, 50]) },
        { anchor: 'first_unread', num_after: 20 },
      ]),
    }
    const reader = pick(scene.people)
    // The first reading, perhaps of a node that has not heard of everything yet, may keep what the later ones find.
    const { apply_markdown } = more
    const first = { anchor: 'newest', num_before: pick([2, 8, 100]), num_after: 0, apply_markdown }
    await reader.get('/messages', { ...first, narrow: place })
    await scene.nodesAgree()
    for (const _ of [1, 2]) await expectSamePage(reader, place, more)
    const { log, state } = scene.org
    const extent = { messages: pick([5, 20, 1_000]), portion: 7 }
    if (i === 0 || random() < 0.3) await readRecent(log.database.read, state, extent)
    await expectSameUnread(scene, pick([0, 1, 2, 3]))
  }
  const { ofPlaces, ofAll } = scene.pagesFromMemory()
  expect(Math.min(ofPlaces, ofAll)).toBeGreaterThan(changes / 20)
  expect(scene.org.state.recent.use.messages).toBeGreaterThan(0)
})

/** `people`: each of them on the one node, then on the other. */
type Scene = {
  org: Organization
  people: Person[]
  channels: number[]
  places: Term[][]
  /** Waits until both nodes have read everything. */
  nodesAgree(): Promise<void>
  pagesFromMemory(): { ofPlaces: number; ofAll: number }
}

async function sceneOnTwoNodes(): Promise<Scene> {
  const org = await organization()
  const other = await anotherNode()
  const people: Person[] = []
  for (let i = 0; i < 4; i++) people.push(await org.person({ name: `Person ${i}` }))
  await people[0]!.post('/users/me/alert_words', { alert_words: ['milk'] })
  const subscribers = people.slice(0, 3)
  const channels = [
    (await org.channel({ subscribers })).id,
    (await org.channel({ subscribers: people, isPrivate: true, hasOpenHistory: false })).id,
  ]
  const channelTerms = channels.map((operand): Term => ({ operator: 'channel', operand }))
  const direct = { operator: 'dm', operand: people.slice(0, 2).map(({ id }) => id) as unknown }
  const feed: Term[] = []
  const places = [...channelTerms.map((term) => [term]), [direct], feed, feed, feed]
  for (const term of channelTerms) {
    for (const topic of ['LUNCH', 'tea', 'i̇stanbul'])
      places.push([term, { operator: 'topic', operand: topic }])
  }
  // No place is empty at first: nothing of an empty one is in memory.
  for (const to of channels) {
    for (const topic of topics)
      await people[0]!.post('/messages', { type: 'channel', to, topic, content: 'x' })
  }
  const there = await other.app.realms.byId(org.id)
  const elsewhere = people.map((person) => new Person({ ...person.place, port: other.port }, person))
  return {
    org,
    people: [...people, ...elsewhere],
    channels,
    places,
    async nodesAgree() {
      await Promise.all([org.log.catchUp(), there.catchUp()])
    },
    pagesFromMemory: () => ({
      ofPlaces: org.state.newest.use.pages + there.state.newest.use.pages,
      ofAll: org.state.feed.use.pages + there.state.feed.use.pages,
    }),
  }
}

async function anything(scene: Scene, own: number[], random: () => number): Promise<void> {
  const pick = <T>(items: readonly T[]) => pickFrom(random, items)
  const { org } = scene
  const me = pick(scene.people)
  const message = pick(own) ?? 0
  const channel = pick(scene.channels)
  const kind = random()
  if (own.length < 5 || kind < 0.35) {
    const to =
      random() < 0.2
        ? { type: 'direct', to: scene.people.slice(0, 2).map(({ id }) => id) }
        : { type: 'channel', to: channel }
    const sent = { topic: pick(topics), content: pick(texts), read_by_sender: random() < 0.7 }
    const { body } = await me.post('/messages', { ...to, ...sent })
    if (body.id && own.push(body.id) > 30) own.shift()
    return
  }
  const changesOf: (() => Promise<unknown>)[] = [
    () => org.owner.patch(`/messages/${message}`, { content: pick(texts) }),
    () =>
      org.owner.patch(`/messages/${message}`, {
        topic: pick(topics),
        propagate_mode: pick(['change_one', 'change_later', 'change_all']),
      }),
    () =>
      org.owner.patch(`/messages/${message}`, {
        stream_id: channel,
        propagate_mode: pick(['change_one', 'change_all']),
      }),
    () => org.owner.delete(`/messages/${message}`),
    () => me.post(`/messages/${message}/reactions`, { emoji_name: pick(['tada', 'heart']) }),
    () => me.delete(`/messages/${message}/reactions`, { emoji_name: pick(['tada', 'heart']) }),
    () =>
      me.post('/submessage', {
        message_id: message,
        msg_type: 'widget',
        content: '{"type":"vote","key":"canned,0","vote":1}',
      }),
    () =>
      me.post('/messages/flags', {
        messages: [message],
        op: pick(['add', 'remove']),
        flag: pick(['read', 'starred']),
      }),
    () => me.post('/mark_all_as_read', {}),
    () => me.patch('/settings', { full_name: `Named ${Math.floor(random() * 1000)}` }),
    () => me.post(`/users/me/muted_users/${pick(scene.people).id}`),
    () =>
      org.owner.patch(`/streams/${channel}`, {
        new_name: `channel ${channel} ${Math.floor(random() * 1000)}`,
      }),
    () =>
      org.owner.patch(`/streams/${channel}`, {
        is_private: pick([true, false]),
        history_public_to_subscribers: pick([true, false]),
      }),
    () =>
      org.owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: org.state.channels.require(channel).name }],
        principals: [me.id],
      }),
    () =>
      org.owner.delete('/users/me/subscriptions', {
        subscriptions: [org.state.channels.require(channel).name],
        principals: [me.id],
      }),
    () =>
      org.owner.post('/realm/filters', {
        pattern: `l(?P<x>un${Math.floor(random() * 100)}*ch)`,
        url_template: 'https://x.example/{x}',
      }),
    () =>
      org.owner.patch('/realm', { message_edit_history_visibility_policy: pick(['all', 'moves', 'none']) }),
  ]
  // Some of these are refused, such as a second reaction.
  await pick(changesOf)()
}
