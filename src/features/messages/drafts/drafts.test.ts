import { expect, test } from 'vitest'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { draftLimits } from './limits.ts'

const { organization } = sharedServer()

const setting = async () => annaAndBen(await organization())

const unaddressed = { type: '', to: [], topic: '', content: 'x', timestamp: 1_700_000_000 }

async function create(who: Person, ...drafts: object[]) {
  return (await who.post('/drafts', { drafts })).body
}

test('creates, edits and deletes drafts and updates the user’s other clients', async () => {
  const { anna, ben, channel } = await setting()
  const [mine, his] = [await anna.register(), await ben.register()]
  const toChannel = { ...unaddressed, type: 'stream', to: [channel.id], topic: 't' }
  const toBen = { ...unaddressed, type: 'private', to: [ben.id], timestamp: 1_700_000_005 }
  const { ids } = await create(anna, toChannel, toBen, unaddressed)
  expect(await mine.events()).toMatchObject([
    {
      type: 'drafts',
      op: 'add',
      drafts: [
        { id: ids[0], ...toChannel },
        { id: ids[1], ...toBen },
        { id: ids[2], ...unaddressed },
      ],
    },
  ])
  await mine.expectStateToMatch()
  const changed = { ...unaddressed, content: 'y', timestamp: 1_700_000_009 }
  expect((await anna.patch(`/drafts/${ids[0]}`, { draft: changed })).body).toEqual({
    result: 'success',
    msg: '',
  })
  expect(await mine.events()).toMatchObject([{ op: 'update', draft: { id: ids[0], ...changed } }])
  await anna.delete(`/drafts/${ids[1]}`)
  expect(await mine.events()).toMatchObject([{ op: 'remove', draft_id: ids[1] }])
  await mine.expectStateToMatch()
  expect((await anna.get('/drafts')).body).toMatchObject({
    count: 2,
    drafts: [
      { id: ids[2], ...unaddressed },
      { id: ids[0], ...changed },
    ],
  })
  expect(await his.events()).toEqual([])
  expect((await ben.get('/drafts')).body).toMatchObject({ count: 0, drafts: [] })
})

test('truncates long text and fills in the timestamp', async () => {
  const { anna, channel } = await setting()
  const { timestamp: _, ...timeless } = unaddressed
  const long = { type: 'stream', to: [channel.id], topic: 'x'.repeat(61), content: 'y'.repeat(10_001) }
  await create(anna, { ...timeless, ...long }, { ...unaddressed, timestamp: 5.9 })
  const [old, draft] = (await anna.get('/drafts')).body.drafts
  expect(old.timestamp).toBe(5)
  expect(draft.topic).toBe(`${'x'.repeat(57)}...`)
  expect(draft.content).toHaveLength(messageLimits.messageLength)
  expect(draft.timestamp).toBeGreaterThan(1_700_000_000)
})

test.each([
  [{ type: 'stream' }, 'Must specify exactly 1 channel ID for channel messages'],
  [{ type: 'stream', to: [1, 2] }, 'Must specify exactly 1 channel ID for channel messages'],
  [{ type: 'stream', to: [99_999_999] }, 'Invalid channel ID'],
  [{ type: 'private', to: [99_999_999] }, 'Invalid user ID 99999999'],
  [{ type: 'bogus' }, 'Invalid drafts[0]["type"]'],
  [{ content: ' ' }, 'drafts[0]["content"] cannot be blank'],
  [{ content: 'c\0' }, 'Message must not contain null bytes'],
  [{ timestamp: -5 }, 'Timestamp must not be negative.'],
  [{ type: undefined }, 'drafts[0]["type"] field is missing: Field required'],
  [{ extra: 1 }, 'Argument "extra" at drafts[0]["extra"] is unexpected'],
])('rejects %j', async (wrong, msg) => {
  const { anna } = await setting()
  expect(await create(anna, { ...unaddressed, ...wrong })).toMatchObject({ result: 'error', msg })
  expect((await anna.get('/drafts')).body.count).toBe(0)
})

test('users cannot access drafts of other users or save drafts for invisible channels', async () => {
  const { org, anna, ben } = await setting()
  const { ids } = await create(anna, unaddressed)
  const missing = { status: 404, body: { code: 'BAD_REQUEST', msg: 'Draft does not exist' } }
  expect(await ben.patch(`/drafts/${ids[0]}`, { draft: unaddressed })).toMatchObject(missing)
  expect(await ben.delete(`/drafts/${ids[0]}`)).toMatchObject(missing)
  expect((await anna.get('/drafts')).body.count).toBe(1)
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  const draft = { ...unaddressed, type: 'stream', to: [closed.id], topic: 't' }
  expect((await create(ben, draft)).msg).toBe('Invalid channel ID')
})

test('a draft must be addressed to a destination where its author can send', async () => {
  const { org, anna, ben } = await setting()
  const [gone, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  const archived = await org.channel({ subscribers: [anna, org.owner] })
  await org.owner.delete(`/streams/${archived.id}`)
  await org.owner.delete(`/users/${gone.id}`)
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const inChannel = (id: number) => ({ ...unaddressed, type: 'stream', to: [id], topic: 't' })
  const toPeople = (...to: number[]) => ({ ...unaddressed, type: 'private', to })
  const { ids } = await create(anna, inChannel(closed.id))
  for (const [who, draft, msg] of [
    // Administrators know of the channel, but may neither read it nor write there.
    [org.owner, inChannel(closed.id), 'Invalid channel ID'],
    [anna, inChannel(archived.id), 'Invalid channel ID'],
    [anna, toPeople(ben.id, gone.id), `'${gone.email}' is no longer using Zulip.`],
    [guest, toPeople(ben.id), 'You do not have permission to access some of the recipients.'],
  ] as const) {
    expect(await create(who, draft)).toMatchObject({ result: 'error', code: 'BAD_REQUEST', msg })
  }
  const { body } = await anna.patch(`/drafts/${ids[0]}`, { draft: toPeople(gone.id) })
  expect(body.msg).toBe(`'${gone.email}' is no longer using Zulip.`)
  expect(await create(anna, toPeople(ben.id, anna.id))).toMatchObject({ result: 'success' })
})

test('users who keep drafts in their clients cannot use the drafts API', async () => {
  const { anna } = await setting()
  const { ids } = await create(anna, unaddressed)
  await anna.patch('/settings', { enable_drafts_synchronization: false })
  const answers = [
    await anna.get('/drafts'),
    await anna.post('/drafts', { drafts: [] }),
    await anna.patch(`/drafts/${ids[0]}`, { draft: unaddressed }),
    await anna.delete(`/drafts/${ids[0]}`),
  ]
  for (const answer of answers) {
    expect(answer.body.msg).toBe('User has disabled synchronizing drafts.')
  }
  expect((await anna.register()).state.drafts).toEqual([])
})

test('limits the number of drafts', async () => {
  const { anna } = await setting()
  const many = Array.from({ length: draftLimits.draftsPerRequest }, () => unaddressed)
  const msg = `drafts has too many values (limit: ${draftLimits.draftsPerRequest})`
  expect((await create(anna, ...many, unaddressed)).msg).toBe(msg)
  for (let i = 0; i < draftLimits.draftsPerUser; i += many.length) await create(anna, ...many)
  expect((await create(anna, unaddressed)).msg).toBe('Too many drafts.')
  expect((await anna.register({ event_types: ['drafts'] })).state.drafts).toHaveLength(1_000)
})
