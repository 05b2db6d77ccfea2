import { expect, test } from 'vitest'
import type { Client, Wire } from './client.ts'
import type { Organization } from './organization.ts'
import type { Person } from './person.ts'
import { fetchAll, leaksIn, type Topics } from './random/sight.ts'
import { sharedServer } from './test-server.ts'

const { organization } = sharedServer()

const viewerRoles = ['administrator', 'moderator', 'member', 'guest'] as const

/** The roles that see an address, by its owner's setting. */
const shownTo: Record<number, string[]> = {
  1: ['owner', 'administrator', 'moderator', 'member', 'guest'],
  2: ['owner', 'administrator', 'moderator', 'member'],
  5: ['owner', 'administrator', 'moderator'],
  3: ['owner', 'administrator'],
  4: [],
}

type Viewer = { role: string; person: Person; clients: Client[] }

/** A user of each role, each with a current client and one without any capabilities. */
async function viewersIn(people: [string, Person][]): Promise<Viewer[]> {
  const viewers: Viewer[] = []
  for (const [role, person] of people) {
    const clients = [
      await person.register({ client_gravatar: true, slim_presence: true }),
      await person.register({
        client_gravatar: false,
        client_capabilities: { notification_settings_null: true },
        apply_markdown: false,
      }),
    ]
    viewers.push({ role, person, clients })
  }
  return viewers
}

async function peopleIn(org: Organization): Promise<[string, Person][]> {
  const people: [string, Person][] = [['owner', org.owner]]
  for (const role of viewerRoles) people.push([role, await org.person({ role, name: `Viewer ${role}` })])
  return people
}

/** Fails unless the request succeeds; returns the response body. */
async function does(work: ReturnType<Person['post']>): Promise<Wire> {
  const { body } = await work
  expect(body, body.msg).toMatchObject({ result: 'success' })
  return body
}

function write(who: Person, to: number | number[]): Promise<Wire> {
  const where = typeof to === 'number' ? { type: 'channel', topic: 'x' } : { type: 'direct' }
  return does(who.post('/messages', { ...where, to, content: 'hello' }))
}

/** Performs all operations that cause events for others. Returns the messages that the user has written. */
async function beBusy(org: Organization, who: Person, channel: number, others: number[]): Promise<number[]> {
  const { id } = await write(who, channel)
  await does(who.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  await does(who.delete(`/messages/${id}/reactions`, { emoji_code: '1f389' }))
  await does(who.post(`/messages/${id}/reactions`, { emoji_name: 'smile' }))
  await does(who.patch(`/messages/${id}`, { content: 'hello again', topic: 'y' }))
  await does(who.post(`/messages/${id}/typing`, { op: 'start' }))
  await does(who.post('/typing', { type: 'stream', op: 'start', stream_id: channel, topic: 'y' }))
  await does(who.post('/users/me/presence', { status: 'active' }))
  await does(who.post('/users/me/status', { status_text: 'busy', emoji_name: 'car' }))
  await does(who.post('/users/me/subscriptions', { subscriptions: [{ name: `of ${who.id}` }] }))
  await does(who.delete('/users/me/subscriptions', { subscriptions: [`of ${who.id}`] }))
  await does(who.patch('/settings', { timezone: 'Europe/Berlin' }))
  await does(who.post('/user_groups/create', { name: `of ${who.id}`, description: '', members: [who.id] }))
  await does(who.post('/invites', { invitee_emails: `new${who.id}@example.com`, stream_ids: [] }))
  await does(who.post('/bots', { full_name: `Bot ${who.id}`, short_name: `bot${who.id}` }))
  await does(org.owner.post(`/users/${who.id}/status`, { status_text: 'as told' }))
  for (const role of [300, 400]) await does(org.owner.patch(`/users/${who.id}`, { role }))
  if (others.length === 0) return [id]
  const direct = await write(who, others)
  for (const other of others) await write(who, [other])
  await does(who.post('/typing', { op: 'start', to: others }))
  return [id, direct.id]
}

/** Ends the user's sessions, so that they have to log in again. */
async function goAndComeBack(org: Organization, { id }: Person) {
  await does(org.owner.delete(`/users/${id}`))
  await does(org.owner.post(`/users/${id}/reactivate`))
}

async function expectNoLeaks(
  org: Organization,
  { role, person, clients }: Viewer,
  topics: Topics,
  secrets: string[],
) {
  const answers = await fetchAll(org, person, topics)
  expect(answers.length).toBeGreaterThan(30)
  for (const [question, answer] of answers) {
    expect(leaksIn(answer, secrets), `${question} of ${role}`).toEqual([])
  }
  for (const client of clients) await expectNothingHeard(role, client, secrets)
}

async function expectNothingHeard(role: string, client: Client, secrets: string[]) {
  for (const event of await client.events()) {
    expect(leaksIn(event, secrets), `${JSON.stringify(event).slice(0, 500)} to ${role}`).toEqual([])
  }
}

/** Returns all groups except those of the system. */
function groupsOf(org: Organization): number[] {
  return [...org.state.groups.values()].filter((group) => !group.is_system_group).map(({ id }) => id)
}

test('an address is shown to those for whom its owner has chosen, in every answer and event', async () => {
  const org = await organization()
  const people = await peopleIn(org)
  const subjects: [number, Person][] = []
  for (const choice of Object.keys(shownTo).map(Number)) {
    const subject = await org.person({ name: `Subject ${choice}`, email: `hidden-${choice}@secret.example` })
    await does(subject.patch('/settings', { email_address_visibility: choice }))
    subjects.push([choice, subject])
  }
  const all = [...people, ...subjects].map(([, person]) => person)
  const channel = await org.channel({ subscribers: all, isWebPublic: true })
  await does(org.owner.patch('/realm', { enable_spectator_access: true }))
  await org.log.commit((change) =>
    change.update('account', { id: org.owner.id, can_change_user_emails: true }),
  )
  const viewers = await viewersIn(people)
  const messages: number[] = []
  for (const [choice, subject] of subjects) {
    const others = people.map(([, { id }]) => id)
    messages.push(...(await beBusy(org, subject, channel.id, others)))
    await does(org.owner.patch(`/users/${subject.id}`, { new_email: `changed-${choice}@secret.example` }))
    await goAndComeBack(org, subject)
  }
  const channels = [...org.state.channels.values()].map(({ id }) => id)
  const topics = { people: subjects.map(([, one]) => one), channels, messages, groups: groupsOf(org) }
  for (const viewer of viewers) {
    const hidden = subjects.filter(([choice]) => !shownTo[choice]!.includes(viewer.role))
    const secrets = hidden.flatMap(([choice]) => [`hidden-${choice}@secret`, `changed-${choice}@secret`])
    const whole = secrets.map((secret) => `${secret}.example`)
    await expectNoLeaks(org, viewer, topics, [...secrets, ...whole])
    const { members } = await does(viewer.person.get('/users'))
    for (const [choice, { id }] of subjects) {
      const isShown = shownTo[choice]!.includes(viewer.role)
      const { delivery_email } = members.find((one: Wire) => one.user_id === id)
      expect(delivery_email, `of ${choice} to ${viewer.role}`).toBe(
        isShown ? `changed-${choice}@secret.example` : null,
      )
    }
  }
  for (const [question, answer] of await fetchAll(org, org.visitor, topics)) {
    expect(leaksIn(answer, ['@secret', ...all.map(({ email }) => email)]), question).toEqual([])
  }
})

test('a user who hides their address hides it in earlier events, too', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person({ email: 'anna@secret.example' }), await org.person()]
  const channel = await org.channel({ subscribers: [anna, ben] })
  const viewers = await viewersIn([['member', ben]])
  const [client, another] = viewers[0]!.clients
  await beBusy(org, anna, channel.id, [ben.id])
  expect(leaksIn(await another!.events(), ['anna@secret.example'])).not.toEqual([])
  await does(anna.patch('/settings', { email_address_visibility: 4 }))
  await expectNothingHeard('member', client!, ['anna@secret.example'])
  await client!.expectStateToMatch()
  await another!.expectStateToMatch()
})

test('a hidden address finds no user, and is not distinguishable from an unused one', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person({ email: 'anna@secret.example' }), await org.person()]
  await does(anna.patch('/settings', { email_address_visibility: 3 }))
  const refusals = async (email: string) => [
    (await ben.get(`/users/${email}`)).body,
    (await ben.get(`/users/${email}/presence`)).body,
    (await ben.post('/messages', { type: 'direct', to: [email], content: 'hello' })).body,
    (await ben.get('/messages', { ...page, narrow: [{ operator: 'sender', operand: email }] })).body,
    (await ben.get('/messages', { ...page, narrow: [{ operator: 'dm', operand: email }] })).body,
    (await ben.post('/users/me/subscriptions', { subscriptions: [{ name: 'x' }], principals: [email] })).body,
  ]
  const page = { anchor: 'newest', num_before: 10 }
  const asText = async (email: string) => JSON.stringify(await refusals(email)).replaceAll(email, 'EMAIL')
  expect(await asText('anna@secret.example')).toBe(await asText('nobody@secret.example'))
})

/** Lets guests know only users with whom they share a conversation. */
async function limitGuests(org: Organization) {
  await does(org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } }))
}

test('of whomever a guest may not know of, no answer and no event tells who they are', async () => {
  const org = await organization()
  await limitGuests(org)
  const guest = await org.person({ role: 'guest', name: 'Guest' })
  const stranger = await org.person({ name: 'Someone Strange', email: 'strange@secret.example' })
  const channel = await org.channel({ subscribers: [guest, org.owner], isWebPublic: true })
  await does(org.owner.patch('/realm', { enable_spectator_access: true }))
  const secrets = ['strange', 'strange@secret.example']
  const [viewer] = await viewersIn([['guest', guest]])
  await write(guest, channel.id)
  const messages = await beBusy(org, stranger, channel.id, [])
  await goAndComeBack(org, stranger)
  await does(org.owner.patch(`/users/${stranger.id}`, { full_name: 'Very Strange' }))
  const dora = { email: 'dora@secret.example', full_name: 'Dora Strange', password: 'swordfish 12' }
  await does(org.owner.post('/users', dora))
  const channels = [...org.state.channels.values()].map(({ id }) => id)
  const topics = { people: [stranger], channels, messages, groups: groupsOf(org) }
  await expectNoLeaks(org, viewer!, topics, secrets)
  for (const [question, answer] of await fetchAll(org, org.visitor, topics)) {
    expect(leaksIn(answer, secrets), question).toEqual([])
  }
  const { messages: read } = await does(
    guest.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      narrow: [{ operator: 'channel', operand: channel.id }],
    }),
  )
  expect(read.find(({ id }: Wire) => id === messages[0])).toMatchObject({
    sender_id: stranger.id,
    sender_full_name: 'Unknown user',
    sender_email: `user${stranger.id}@${org.place.host}`,
  })
})

test('a guest cannot learn of an unknown user by requests, either', async () => {
  const org = await organization()
  await limitGuests(org)
  const guest = await org.person({ role: 'guest' })
  const stranger = await org.person({ name: 'Strange', email: 'strange@secret.example' })
  const rendered = async (content: string) =>
    (await guest.post('/messages/render', { content })).body.rendered
  for (const mention of ['@**Strange**', `@**Strange|${stranger.id}**`, `@_**|${stranger.id}**`]) {
    expect(await rendered(mention)).not.toContain('user-mention')
  }
  expect(await rendered(`@**|${stranger.id}**`)).not.toContain('Strange')
  const direct = (to: unknown) => guest.post('/messages', { type: 'direct', to: [to], content: 'hello' })
  expect((await direct(stranger.id)).body.msg).toBe(
    'You do not have permission to access some of the recipients.',
  )
  expect((await direct(stranger.email)).body.msg).toBe(`Invalid email '${stranger.email}'`)
  expect((await guest.get(`/users/${stranger.email}`)).body.msg).toBe('No such user')
  expect((await guest.get(`/users/${stranger.id}`)).body.msg).toBe('Insufficient permission')
  await write(stranger, [guest.id])
  expect((await direct(stranger.id)).status).toBe(200)
  expect(await rendered('@**Strange**')).toContain('user-mention')
})

test('a guest hears whom they get to know, and who is lost from their sight', async () => {
  const org = await organization()
  await limitGuests(org)
  const guest = await org.person({ role: 'guest' })
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  const channel = await org.channel({ subscribers: [guest] })
  const event_types = ['realm_user']
  const old = { client_capabilities: { notification_settings_null: true } }
  const [modern, legacy] = [
    await guest.register({ event_types }),
    await guest.register({ event_types, ...old }),
  ]
  const stranger = await ben.register({ event_types })
  const known = (name: string) => ({ op: 'add', person: { full_name: name } })
  const subscriptions = [{ name: channel.name }]
  await does(anna.post('/users/me/subscriptions', { subscriptions }))
  await write(ben, [guest.id])
  expect(await modern.events()).toMatchObject([known('Anna'), known('Ben')])
  await does(anna.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
  const lost = { user_id: anna.id, full_name: 'Unknown user' }
  expect(await modern.events()).toMatchObject([{ op: 'remove', person: lost }])
  expect(await legacy.events()).toMatchObject([
    known('Unknown user'),
    known('Ben'),
    { op: 'add', person: lost },
  ])
  expect(await stranger.events()).toEqual([])
  await modern.expectStateToMatch()
  await legacy.expectStateToMatch()
})
