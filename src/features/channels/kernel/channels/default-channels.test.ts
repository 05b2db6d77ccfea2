import { expect, test } from 'vitest'
import { sharedServer } from '../../../../../test/test-server.ts'

const { organization } = sharedServer()

test('an administrator chooses the default channels, and all users except guests are notified', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const [first, second] = [await org.channel({ isDefault: true }), await org.channel()]
  const [client, guests] = [await ann.register(), await guest.register()]
  const change = (method: 'post' | 'delete', id: number) =>
    org.owner[method]('/default_streams', { stream_id: id })
  expect((await change('post', second.id)).body).toEqual({ result: 'success', msg: '' })
  await change('post', second.id)
  expect(await client.events()).toMatchObject([
    { type: 'default_streams', default_streams: [first.id, second.id] },
  ])
  await client.expectStateToMatch()
  await change('delete', first.id)
  expect(await client.events()).toMatchObject([{ type: 'default_streams', default_streams: [second.id] }])
  await client.expectStateToMatch()
  expect(await guests.events()).toEqual([])
})

test('other users may not, and private channels cannot be default channels', async () => {
  const org = await organization()
  const ann = await org.person()
  const [open, secret] = [await org.channel(), await org.channel({ isPrivate: true })]
  for (const method of ['post', 'delete'] as const) {
    const answer = await ann[method]('/default_streams', { stream_id: open.id })
    expect(answer.body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    })
  }
  const tries = async (id: number) => (await org.owner.post('/default_streams', { stream_id: id })).body.msg
  expect(await tries(secret.id)).toBe('Private channels cannot be made default.')
  expect(await tries(99_999)).toBe('Invalid channel ID')
})
