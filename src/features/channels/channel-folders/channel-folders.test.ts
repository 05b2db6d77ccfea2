import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('administrators create and change folders, and all users are notified', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const client = await guest.register()
  const { body } = await org.owner.post('/channel_folders/create', {
    name: ' Work ',
    description: '**All** day',
  })
  const id = body.channel_folder_id
  const folder = {
    id,
    name: 'Work',
    description: '**All** day',
    rendered_description: '<p><strong>All</strong> day</p>',
    date_created: expect.any(Number),
    creator_id: org.owner.id,
    is_archived: false,
  }
  expect(await client.events()).toMatchObject([{ type: 'channel_folder', op: 'add', channel_folder: folder }])
  expect((await guest.get('/channel_folders')).body.channel_folders).toEqual([folder])
  await org.owner.patch(`/channel_folders/${id}`, { name: 'Play', description: '', is_archived: true })
  expect(await client.events()).toMatchObject([
    { op: 'update', channel_folder_id: id, data: { name: 'Play' } },
    { op: 'update', data: { description: '', rendered_description: '' } },
    { op: 'update', data: { is_archived: true } },
  ])
  await org.owner.patch(`/channel_folders/${id}`, { name: 'Play', is_archived: true })
  expect(await client.events()).toEqual([])
  await client.expectStateToMatch()
  expect((await guest.get('/channel_folders')).body.channel_folders).toEqual([])
  const all = (await guest.get('/channel_folders', { include_archived: true })).body.channel_folders
  expect(all).toMatchObject([{ name: 'Play', is_archived: true }])
})

test('other users are refused, and names are validated', async () => {
  const org = await organization()
  const ann = await org.person()
  const create = async (name: unknown, person = org.owner) =>
    (await person.post('/channel_folders/create', { name, description: '' })).body
  expect(await create('x', ann)).toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: 'Must be an organization administrator',
  })
  const { channel_folder_id: id } = await create('one')
  await create('two')
  expect((await create('ONE')).msg).toBe("Channel folder 'ONE' already exists")
  expect((await create('  ')).msg).toBe("Channel folder name can't be empty.")
  expect((await create('x'.repeat(61))).msg).toBe('name is too long (limit: 60 characters)')
  expect((await create('a\u0007')).msg).toBe('Invalid character in channel folder name, at position 2.')
  const rename = async (id: number, name: string) =>
    (await org.owner.patch(`/channel_folders/${id}`, { name })).body.msg
  expect(await rename(id, 'Two')).toBe("Channel folder 'Two' already exists")
  expect(await rename(id, 'One')).toBe('')
  expect(await rename(99_999, 'x')).toBe('Invalid channel folder ID')
  expect((await ann.patch(`/channel_folders/${id}`, { name: 'mine' })).body.code).toBe(
    'UNAUTHORIZED_PRINCIPAL',
  )
})

test('channels are added to folders and removed; a folder that is not empty stays', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const create = { name: 'box', description: '' }
  const id = (await org.owner.post('/channel_folders/create', create)).body.channel_folder_id
  const client = await ann.register()
  const put = (folder_id: number | null) => org.owner.patch(`/streams/${channel.id}`, { folder_id })
  const archive = async () =>
    (await org.owner.patch(`/channel_folders/${id}`, { is_archived: true })).body.msg
  expect((await put(id)).body.result).toBe('success')
  expect(await archive()).toBe('You need to remove all the channels from this folder to archive it.')
  await put(null)
  expect(await client.events()).toMatchObject([
    { type: 'stream', property: 'folder_id', value: id },
    { type: 'stream', property: 'folder_id', value: null },
  ])
  const created = { subscriptions: [{ name: 'inside' }], folder_id: id }
  await ann.post('/users/me/subscriptions', created)
  expect(org.state.channelByName('inside')!.folder_id).toBe(id)
  await client.expectStateToMatch()
  await org.owner.patch(`/streams/${org.state.channelByName('inside')!.id}`, { folder_id: null })
  expect(await archive()).toBe('')
  expect((await put(id)).body.msg).toBe('Invalid channel folder ID')
  expect((await put(99_999)).body.msg).toBe('Invalid channel folder ID')
})

test('administrators order the folders, and all users are notified', async () => {
  const org = await organization()
  const ann = await org.person()
  const create = async (name: string) =>
    (await org.owner.post('/channel_folders/create', { name, description: '' })).body.channel_folder_id
  const [one, two, three] = [await create('one'), await create('two'), await create('three')]
  const client = await ann.register()
  const order = (ids: unknown, person = org.owner) => person.patch('/channel_folders', { order: ids })
  for (const wrong of [
    [one, two],
    [one, two, two],
    [one, two, 99_999],
  ])
    expect((await order(wrong)).body.msg).toBe('Invalid order mapping.')
  expect((await order([one, two, three], ann)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  expect(await client.events()).toEqual([])
  expect((await order([three, one, two])).body.result).toBe('success')
  expect(await client.events()).toMatchObject([
    { type: 'channel_folder', op: 'reorder', order: [three, one, two] },
  ])
  const four = await create('four')
  await client.expectStateToMatch()
  const { channel_folders: folders } = (await ann.get('/channel_folders')).body
  expect(folders.map(({ id }: { id: number }) => id)).toEqual([three, one, two, four])
})
