import { afterAll, beforeAll, expect, test } from 'vitest'
import { pushed, RelayServer } from '../../../../test/programs/push-relay.ts'
import { testServer } from '../../../../test/test-server.ts'

const open = new RelayServer({ showsClearText: true })
const discreet = new RelayServer()
const all = {
  open: testServer({ adapters: { push: open.relay } }),
  discreet: testServer({ adapters: { push: discreet.relay } }),
}
beforeAll(() => Promise.all([open.start(), discreet.start()]))
afterAll(() => {
  open.stop()
  discreet.stop()
})

/**
 * Anna writes to Ben, who has an app without encryption, in a channel and directly. Returns what the relay receives.
 */
async function notified(kind: keyof typeof all, prepare?: 'organization' | 'reader') {
  const org = await all[kind].organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ name: 'harbour', subscribers: [anna, ben] })
  const token = `token ${org.id}`
  await ben.post('/users/me/android_gcm_reg_id', { token })
  if (prepare === 'organization') {
    await org.owner.patch('/realm', { message_content_allowed_in_email_notifications: false })
  }
  if (prepare === 'reader') await ben.patch('/settings', { message_content_in_email_notifications: false })
  const { id } = (
    await anna.post('/messages', { type: 'channel', to: 'harbour', topic: '', content: '@**all** hands' })
  ).body
  await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'a word' })
  await ben.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await pushed(all[kind], org)
  const { taken } = kind === 'open' ? open : discreet
  const data = taken.filter((one) => one.token === token).map((one) => one.data)
  return { org, anna, ben, channel, id, data }
}

test('apps without encryption receive the fields that they know', async () => {
  const { org, anna, ben, data, id } = await notified('open')
  expect(data.at(-2) ?? data[0]).toEqual({
    event: 'message',
    server: `${org.place.host}`,
    realm_id: org.id,
    realm_url: `http://${org.place.host}`,
    realm_uri: `http://${org.place.host}`,
    realm_name: expect.any(String),
    user_id: ben.id,
    zulip_message_id: expect.any(Number),
    time: expect.any(Number),
    sender_id: anna.id,
    sender_email: expect.any(String),
    sender_full_name: anna.name,
    sender_avatar_url: expect.stringMatching(/^http/),
    recipient_type: 'private',
    content: 'a word',
    content_truncated: false,
  })
  expect(data.at(-1)).toMatchObject({ event: 'remove', zulip_message_ids: String(id) })
})

test.each([
  ['discreet', undefined],
  ['open', 'organization'],
  ['open', 'reader'],
] as const)('texts are kept out of them (relay: %s, by: %s)', async (kind, by) => {
  const { data } = await notified(kind, by)
  const texts = data.filter(({ event }) => event === 'message').map(({ content }) => content)
  expect(texts.length).toBeGreaterThan(0)
  expect(new Set(texts)).toEqual(new Set(['New message']))
})
