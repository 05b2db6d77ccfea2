import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('all users except guests receive default channel groups', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const [one, two] = [await org.channel({ name: 'one' }), await org.channel({ name: 'Two' })]
  const clients = [await ann.register(), await guest.register()] as const
  const create = { group_name: ' devs ', description: 'd', stream_names: ['two'] }
  expect((await org.owner.post('/default_stream_groups/create', create)).body).toEqual({
    result: 'success',
    msg: '',
  })
  const id = [...org.state.defaultChannelGroups.values()][0]!.id
  const path = `/default_stream_groups/${id}`
  await org.owner.patch(path, { new_group_name: 'makers', new_description: '' })
  await org.owner.patch(`${path}/streams`, { op: 'add', stream_names: ['ONE'] })
  await org.owner.patch(`${path}/streams`, { op: 'remove', stream_names: ['two'] })
  const groups = (await clients[0].events()).map((event) => event.default_stream_groups)
  expect(groups).toEqual([
    [{ id, name: 'devs', description: 'd', streams: [two.id] }],
    [{ id, name: 'makers', description: '', streams: [two.id] }],
    [{ id, name: 'makers', description: '', streams: [two.id, one.id] }],
    [{ id, name: 'makers', description: '', streams: [one.id] }],
  ])
  await clients[0].expectStateToMatch()
  await org.owner.delete(`/streams/${one.id}`)
  expect(await clients[0].events()).toMatchObject([
    { type: 'stream' },
    { default_stream_groups: [{ streams: [] }] },
  ])
  await org.owner.patch(`/streams/${one.id}`, { is_archived: false })
  expect((await clients[0].events()).at(-1)).toMatchObject({ default_stream_groups: [{ streams: [one.id] }] })
  await org.owner.delete(path)
  expect(await clients[0].events()).toMatchObject([{ default_stream_groups: [] }])
  expect(await clients[1].events()).toEqual([])
  for (const client of clients) await client.expectStateToMatch()
})

test('invalid groups are refused', async () => {
  const org = await organization()
  const ann = await org.person()
  await org.channel({ name: 'plain' })
  await org.channel({ name: 'default', isDefault: true })
  await org.channel({ name: 'secret', isPrivate: true })
  const create = async (group_name: string, stream_names: string[] = [], person = org.owner) =>
    (await person.post('/default_stream_groups/create', { group_name, stream_names, description: '' })).body
  expect((await create('x', [], ann)).code).toBe('UNAUTHORIZED_PRINCIPAL')
  expect((await create('g', ['plain'])).result).toBe('success')
  expect((await create('g')).msg).toBe("Default channel group 'g' already exists")
  expect((await create('')).msg).toBe("Invalid default channel group name ''")
  expect((await create('h', ['nowhere'])).msg).toBe("Invalid channel name 'nowhere'")
  expect((await create('h', ['secret'])).msg).toBe('Private channels cannot be made default.')
  expect((await create('h', ['default'])).msg).toBe(
    "'default' is a default channel and cannot be added to 'h'",
  )
  const id = [...org.state.defaultChannelGroups.values()][0]!.id
  const path = `/default_stream_groups/${id}`
  const rename = async (params: object) => (await org.owner.patch(path, { ...params })).body.msg
  expect(await rename({})).toBe('You must pass "new_description" or "new_group_name".')
  expect(await rename({ new_group_name: 'g' })).toBe("This default channel group is already named 'g'")
  expect(await rename({ new_description: 'x'.repeat(1_025) })).toBe(
    'new_description is too long (limit: 1024 characters)',
  )
  const change = async (op: string, name: string) =>
    (await org.owner.patch(`${path}/streams`, { op, stream_names: [name] })).body.msg
  expect(await change('zap', 'plain')).toBe('Invalid value for "op". Specify one of "add" or "remove".')
  expect(await change('add', 'plain')).toBe("Channel 'plain' is already present in default channel group 'g'")
  expect(await change('remove', 'secret')).toBe(
    "Channel 'secret' is not present in default channel group 'g'",
  )
  const gone = await org.owner.delete('/default_stream_groups/99999')
  expect(gone.body.msg).toBe("Default channel group with id '99999' does not exist.")
})
