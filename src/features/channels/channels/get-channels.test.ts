import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

/** An organization with channels of each kind; ann is in `own` and `secret`, the guest in `own`. */
async function town() {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  await org.channel({ name: 'own', subscribers: [ann, guest] })
  await org.channel({ name: 'public', isDefault: true })
  await org.channel({ name: 'secret', subscribers: [ann], isPrivate: true })
  await org.channel({ name: 'hidden', isPrivate: true })
  await org.channel({
    name: 'granted',
    isPrivate: true,
    permissions: { can_subscribe_group: 'role:members' },
  })
  const old = await org.channel({ name: 'old' })
  await org.owner.delete(`/streams/${old.id}`)
  return { org, ann, guest }
}

async function listed(person: Person, params: Record<string, boolean> = {}) {
  const { streams } = (await person.get('/streams', params)).body
  return streams.map((channel: { name: string }) => channel.name)
}

test('the parameters select which channels are listed', async () => {
  const { org, ann, guest } = await town()
  expect(await listed(ann)).toEqual(['own', 'public', 'secret'])
  expect(await listed(ann, { include_public: false })).toEqual(['own', 'secret'])
  expect(await listed(ann, { include_subscribed: false })).toEqual(['own', 'public'])
  expect(await listed(ann, { exclude_archived: false })).toEqual(['old', 'own', 'public', 'secret'])
  expect(await listed(ann, { include_can_access_content: true })).toEqual([
    'granted',
    'own',
    'public',
    'secret',
  ])
  expect(await listed(ann, { include_all: true })).toEqual(['granted', 'own', 'public', 'secret'])
  const webPublic = { include_web_public: true, include_public: false, include_subscribed: false }
  expect(await listed(ann, webPublic)).toEqual([])
  expect(await listed(org.owner, { include_all: true })).toEqual([
    'granted',
    'hidden',
    'own',
    'public',
    'secret',
  ])
  expect(await listed(org.owner, { include_can_access_content: true })).toEqual(['granted', 'own', 'public'])
  for (const flag of ['include_subscribed', 'include_public', 'include_all', 'include_all_active']) {
    expect(await listed(guest, { [flag]: true })).toEqual(['own'])
  }
})

test('a bot may request the channels of its owner', async () => {
  const { org, ann } = await town()
  const bot = await org.bot(ann)
  const params = { include_public: false, include_owner_subscribed: true }
  expect(await listed(bot, params)).toEqual(['own', 'secret'])
})

test('is_default is included on request', async () => {
  const { ann } = await town()
  const { streams } = (await ann.get('/streams', { include_default: true })).body
  expect(streams.map((channel: { is_default: boolean }) => channel.is_default)).toEqual([false, true, false])
  expect((await ann.get('/streams')).body.streams[0]).not.toHaveProperty('is_default')
})

test('users who may see a channel find it by id and by name', async () => {
  const { org, ann, guest } = await town()
  const id = idOf(org, 'secret')
  expect((await ann.get(`/streams/${id}`)).body.stream).toMatchObject({ stream_id: id, name: 'secret' })
  expect((await ann.get('/get_stream_id', { stream: 'SECRET' })).body.stream_id).toBe(id)
  for (const [person, name] of [
    [guest, 'public'],
    [ann, 'hidden'],
    [ann, 'old'],
  ] as const) {
    expect((await person.get(`/streams/${idOf(org, name)}`)).body.msg).toBe('Invalid channel ID')
    expect((await person.get('/get_stream_id', { stream: name })).body.msg).toBe(
      `Invalid channel name '${name}'`,
    )
  }
  expect((await ann.get('/get_stream_id')).body.msg).toBe("Missing 'stream' argument")
})

function idOf(org: Organization, name: string) {
  return org.state.channelByName(name)!.id
}
