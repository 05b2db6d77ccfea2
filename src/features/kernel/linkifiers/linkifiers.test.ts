import { expect, test } from 'vitest'
import { type Sent, success } from '../../../../test/http.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { noCapabilities } from '../../../queues/queue.ts'

const { organization } = sharedServer()

const issue = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
const repository = { pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)', url_template: 'https://{repo}.com/{id}' }

async function add(person: Person, linkifier: Sent) {
  return (await person.post('/realm/filters', linkifier)).body
}

async function setting() {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const { id: first } = await add(org.owner, issue)
  const { id: second } = await add(org.owner, repository)
  return { org, guest, first, second }
}

test('linkifiers are added, changed, reordered and removed, and all users are notified', async () => {
  const { org, guest, first, second } = await setting()
  const client = await guest.register()
  const list = async () => (await guest.get('/realm/linkifiers')).body.linkifiers
  const third = await add(org.owner, { pattern: 'x', url_template: 'x' })
  expect(third).toEqual({ ...success, id: expect.any(Number) })
  const all = [
    { ...issue, id: first },
    { ...repository, id: second },
    { pattern: 'x', url_template: 'x', id: third.id },
  ]
  expect(await client.events()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: all }])
  expect(await list()).toEqual(all)

  const changed = { pattern: issue.pattern, url_template: 'https://example.org/{id}' }
  expect((await org.owner.patch(`/realm/filters/${first}`, changed)).body).toEqual(success)
  const order = { ordered_linkifier_ids: [third.id, second, first] }
  expect((await org.owner.patch('/realm/linkifiers', order)).body).toEqual(success)
  expect(await list()).toEqual([all[2], all[1], { ...changed, id: first }])
  await client.expectStateToMatch()

  expect((await org.owner.delete(`/realm/filters/${second}`)).body).toEqual(success)
  const { id: last } = await add(org.owner, repository)
  expect((await list()).map(({ id }: { id: number }) => id)).toEqual([third.id, first, last])
  await client.expectStateToMatch()
})

test('messages and topics have links while the linkifier exists', async () => {
  const { org, first } = await setting()
  const { id } = await org.channel({ subscribers: [org.owner] })
  const message = { type: 'stream', to: id, topic: 'about #7', content: 'see #8' }
  const client = await org.owner.register()
  const send = async () => {
    await org.owner.post('/messages', message)
    const sent = (await client.events()).find(({ type }) => type === 'message')!.message
    return [sent.content, sent.topic_links]
  }
  expect(await send()).toEqual([
    '<p>see <a href="https://example.com/8">#8</a></p>',
    [{ text: '#7', url: 'https://example.com/7' }],
  ])
  await org.owner.delete(`/realm/filters/${first}`)
  expect(await send()).toEqual(['<p>see #8</p>', []])
})

test('clients that do not support URL templates receive none', async () => {
  const { org, guest } = await setting()
  const client = await guest.register({ client_capabilities: noCapabilities })
  expect(client.state).toMatchObject({ realm_linkifiers: [], realm_filters: [] })
  const older = await guest.register({ event_types: ['realm_filters'] })
  await add(org.owner, { pattern: 'x', url_template: 'x' })
  expect(await client.events()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: [] }])
  expect(await older.events()).toMatchObject([{ type: 'realm_filters', realm_filters: [] }])
  await client.expectStateToMatch()
})

test('only administrators change them', async () => {
  const { org, first, second } = await setting()
  const ann = await org.person({ role: 'moderator' })
  const client = await ann.register()
  const order = { ordered_linkifier_ids: [second, first] }
  for (const answer of [
    await ann.post('/realm/filters', { pattern: 'x', url_template: 'x' }),
    await ann.patch(`/realm/filters/${first}`, issue),
    await ann.patch('/realm/linkifiers', order),
    await ann.delete(`/realm/filters/${first}`),
  ]) {
    expect(answer.body).toMatchObject({ msg: 'Must be an organization administrator' })
  }
  expect((await org.visitor.get('/realm/linkifiers')).status).toBe(401)
  expect(await client.events()).toEqual([])
})

test('linkifiers of another organization are neither accessible nor sent', async () => {
  const [{ org, first, guest }, other] = await Promise.all([setting(), organization()])
  const client = await guest.register()
  expect((await other.owner.delete(`/realm/filters/${first}`)).body.msg).toBe('Linkifier not found.')
  expect((await other.owner.get('/realm/linkifiers')).body.linkifiers).toEqual([])
  await add(other.owner, issue)
  expect(await client.events()).toEqual([])
  expect(org.state.linkifiers.size).toBe(2)
})

const duplicate = 'Realm filter with this Realm and Pattern already exists.'
const blank = 'This field cannot be blank.'

test.each<[pattern: string, template: string, errors: Record<string, string[]>]>([
  [issue.pattern, issue.url_template, { __all__: [duplicate] }],
  [issue.pattern, 'https://x/{id', { url_template: ['Invalid URL template.'], __all__: [duplicate] }],
  ['', 'x', { pattern: [blank] }],
  ['x', '', { url_template: [blank] }],
  ['(', 'x', { __all__: ['Bad regular expression: missing ): ('] }],
  ['(?=a)', 'x', { __all__: ['Bad regular expression: invalid perl operator: (?='] }],
  ['a**', 'x', { __all__: ['Bad regular expression: bad repetition operator: **'] }],
  ['\\', 'x', { __all__: ['Bad regular expression: trailing \\'] }],
  ['x{0,1000}', 'x', { __all__: ['Bad regular expression: expression too large'] }],
  ['(?P<id>a)', 'x', { __all__: ["Group 'id' in linkifier pattern is not present in URL template."] }],
  ['a', 'x{id}', { __all__: ["Group 'id' in URL template is not present in linkifier pattern."] }],
])('no linkifier: %s to %s', async (pattern, url_template, errors) => {
  const { org, second } = await setting()
  const refused = { result: 'error', msg: Object.values(errors)[0]![0], errors, code: 'BAD_REQUEST' }
  expect(await add(org.owner, { pattern, url_template })).toEqual(refused)
  const path = `/realm/filters/${second}`
  expect((await org.owner.patch(path, { pattern, url_template })).body).toEqual(refused)
})

test('missing linkifiers and incomplete requests are refused', async () => {
  const { org, first, second } = await setting()
  const { owner } = org
  expect((await owner.patch('/realm/filters/99999', issue)).body.msg).toBe('Linkifier not found.')
  expect((await owner.delete('/realm/filters/99999')).body.msg).toBe('Linkifier not found.')
  for (const ordered_linkifier_ids of [[], [first], [first, first], [first, second, 99_999]]) {
    expect((await owner.patch('/realm/linkifiers', { ordered_linkifier_ids })).body.msg).toBe(
      'The ordered list must enumerate all existing linkifiers exactly once',
    )
  }
  expect((await owner.patch(`/realm/filters/${first}`, issue)).body).toEqual(success)
  expect(await add(owner, { pattern: 'x'.repeat(1_001), url_template: 'x' })).toMatchObject({
    msg: 'pattern is too long (limit: 1000 characters)',
  })
})

test('of two identical concurrent requests, one succeeds', async () => {
  const org = await organization()
  const answers = await Promise.all([add(org.owner, issue), add(org.owner, issue)])
  expect(answers.map(({ result }) => result).sort()).toEqual(['error', 'success'])
})

test('a linkifier is tried without being saved', async () => {
  const { org, guest } = await setting()
  const path = '/rookery/linkifier_preview'
  const client = await guest.register()
  const links = async (params: Sent) => (await org.owner.post(path, params)).body.links
  expect(await links({ ...issue, content: 'see #12, https://x.org and (#7)' })).toEqual([
    { text: '#12', url: 'https://example.com/12' },
    { text: '#7', url: 'https://example.com/7' },
  ])
  expect(await links({ ...issue, content: 'none' })).toEqual([])
  const broken = { pattern: '(?P<id>', url_template: 'https://example.com/{id}', content: 'x' }
  expect((await org.owner.post(path, broken)).body.msg).toContain('Bad regular expression')
  const long = { ...issue, content: 'x'.repeat(201) }
  expect((await org.owner.post(path, long)).body.msg).toBe('content is too long (limit: 200 characters)')
  expect((await guest.post(path, { ...issue, content: '#1' })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  expect(await client.events()).toEqual([])
})
