import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

// The database has one lower-case letter for each of these. JavaScript makes two of İ, and another one of Σ at the end.
test.each([
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
])('%s is the same name as %s, for channels, groups and folders', async (one, other) => {
  const org = await organization()
  const ann = await org.person()
  const add = (name: string) => ann.post('/users/me/subscriptions', { subscriptions: [{ name }] })
  await add(one)
  const { stream_id: id } = (await ann.get('/get_stream_id', { stream: one })).body
  expect((await add(other)).body).toMatchObject({ subscribed: {}, already_subscribed: { [ann.id]: [one] } })
  expect((await ann.get('/get_stream_id', { stream: other })).body).toMatchObject({ stream_id: id })
  await add('third')
  const third = (await ann.get('/get_stream_id', { stream: 'third' })).body.stream_id
  const renamed = await ann.patch(`/streams/${third}`, { new_name: other })
  expect(renamed.body).toMatchObject({ msg: 'Channel name is already in use.' })
  const group = (name: string) =>
    org.owner.post('/user_groups/create', { name, description: '', members: [] })
  const folder = (name: string) => org.owner.post('/channel_folders/create', { name, description: '' })
  await group(one)
  expect((await group(other)).body).toMatchObject({ msg: `User group '${other}' already exists.` })
  await folder(one)
  expect((await folder(other)).body).toMatchObject({ msg: `Channel folder '${other}' already exists` })
})
