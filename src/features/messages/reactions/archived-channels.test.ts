import { expect, test } from 'vitest'
import { messageIn, sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const vote = '{"type":"vote","key":"canned,0","vote":1}'

test('messages of an archived channel can be read and starred, but take no reactions or votes', async () => {
  const org = await organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [org.owner, anna] })
  const id = await sender(anna, channel)('which', '/poll Which?\nthis\nthat')
  const react = () => anna.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const changes = {
    react: () => anna.post(`/messages/${id}/reactions`, { emoji_name: 'smile' }),
    takeBack: () => anna.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    vote: () => anna.post('/submessage', { message_id: id, msg_type: 'widget', content: vote }),
    edit: () => anna.post(`/messages/${id}/typing`, { op: 'start' }),
  }
  await react()
  await org.owner.delete(`/streams/${channel.id}`)
  const client = await org.owner.register()
  for (const change of Object.values(changes)) {
    expect(await change()).toMatchObject({ status: 400, body: { msg: 'Invalid message(s)' } })
  }
  expect(await client.events()).toEqual([])
  expect(await messageIn(anna, id)).toMatchObject({ reactions: [{ emoji_name: 'tada' }] })
  const star = { messages: [id], op: 'add', flag: 'starred' }
  expect((await anna.post('/messages/flags', star)).status).toBe(200)
  await org.owner.patch(`/streams/${channel.id}`, { is_archived: false })
  for (const change of Object.values(changes)) expect((await change()).status).toBe(200)
})
