import { sql } from 'kysely'
import { beforeAll, test } from 'vitest'
import { keyMailedTo } from '../../test/mailbox.ts'
import type { Organization } from '../../test/organization.ts'
import { Caller, Person } from '../../test/person.ts'
import { type Case, expectSomeOrder, join, namesOf, talking } from '../../test/random/some-order.ts'
import { type Node, testServer } from '../../test/test-server.ts'
import { addApiKey } from '../features/bots/kernel/login/api-keys.ts'

// Requests that contradict each other, or want the same thing, arrive at the same time: one of them is first.

const server = testServer()
let node: Node

beforeAll(async () => {
  node = await server.anotherNode()
})

/** A caller without a login, at the other node. */
const visitorAt = (there: (who: Person) => Person, { owner }: Organization) => new Caller(there(owner).place)

/** By one user, whose writes wait for each other at a node anyway. */
const ofOne: Record<string, Case> = {
  'adding an alert word, and removing it': async ({ anna }, there) => ({
    requests: [
      () => anna.post('/users/me/alert_words', { alert_words: ['tea'] }),
      () => there(anna).delete('/users/me/alert_words', { alert_words: ['tea'] }),
    ],
    look: async () => (await anna.get('/users/me/alert_words')).body.alert_words,
  }),

  'reacting twice': async ({ anna, id }, there) => ({
    requests: [
      () => anna.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
      () => there(anna).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    ],
    look: async () => (await anna.get(`/messages/${id}`)).body.message.reactions.length,
  }),

  'making a new API key twice': async ({ org, anna }, there) => ({
    requests: [
      () => anna.post('/users/me/api_key/regenerate'),
      () => there(anna).post('/users/me/api_key/regenerate'),
    ],
    look: async () => [...org.state.apiKeysOfUser(anna.id)].length,
  }),

  'revoking a key, and using it': async ({ org, anna }, there) => {
    const { key, id } = await org.log.commit(async (change) => {
      const key = await addApiKey(change, anna.id, 'other')
      return { key, id: Math.max(...[...change.next.apiKeysOfUser(anna.id)].map((one) => one.id)) }
    })
    const draft = { type: '', to: [], topic: '', content: 'x', timestamp: 1 }
    return {
      requests: [
        () => anna.delete(`/rookery/keys/${id}`),
        () => there(new Person(anna.place, { ...anna, key })).post('/drafts', { drafts: [draft] }),
      ],
      look: async () => (await anna.get('/drafts')).body.count,
    }
  },

  'accepting an invitation twice': async ({ org }, there) => {
    const email = 'dora@example.com'
    await org.owner.post('/invites', { invitee_emails: email, stream_ids: [] })
    const key = await keyMailedTo(org, email)
    return {
      requests: [() => join(org.visitor, key, 'Dora'), () => join(visitorAt(there, org), key, 'Dorothea')],
      look: async () => [await namesOf(org, email), (await org.owner.get('/invites')).body.invites],
    }
  },

  'signing up twice with one address': async ({ org }, there) => {
    const email = 'dora@example.com'
    await org.owner.patch('/realm', { invite_required: false })
    const keys: string[] = []
    for (let i = 0; i < 2; i++) {
      await org.visitor.post('/rookery/sign_ups', { email })
      keys.push(await keyMailedTo(org, email))
    }
    return {
      requests: [
        () => join(org.visitor, keys[0]!, 'Dora'),
        () => join(visitorAt(there, org), keys[1]!, 'Dorothea'),
      ],
      look: () => namesOf(org, email),
    }
  },
}

test.each(Object.entries(ofOne))('%s, by one caller', (_, begin) =>
  expectSomeOrder(
    node,
    async (there) => {
      const all = await talking(server)
      return { org: all.org, ...(await begin(all, there)) }
    },
    { held: false },
  ),
)

test.each(['a send', 'a reaction', 'a draft'])('deactivating the organization, and %s', (what) =>
  expectSomeOrder(node, async (there) => {
    const { org, anna, channel, id } = await talking(server)
    const draft = { type: '', to: [], topic: '', content: 'x', timestamp: 1 }
    const late: Record<string, () => ReturnType<Person['post']>> = {
      'a send': () =>
        there(anna).post('/messages', { type: 'channel', to: channel.id, topic: 'a', content: 'more' }),
      'a reaction': () => there(anna).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
      'a draft': () => there(anna).post('/drafts', { drafts: [draft] }),
    }
    const count = sql<{ rows: number }>`
      SELECT (SELECT count(*) FROM message WHERE realm_id = ${org.id})
        + (SELECT count(*) FROM reaction WHERE realm_id = ${org.id})
        + (SELECT count(*) FROM draft WHERE realm_id = ${org.id}) AS rows`
    return {
      org,
      requests: [() => org.owner.post('/realm/deactivate'), late[what]!],
      look: () => org.log.commit((change) => change.run(count)),
    }
  }),
)
