import { expect, test } from 'vitest'
import { changeFlag } from '../../../../test/flags.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

/** Ben was in a private channel, starred, collapsed and read messages there, and left. */
async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization(), { isPrivate: true })
  const send = async (): Promise<number> =>
    (await anna.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'x' })).body.id
  const [starred, plain] = [await send(), await send()]
  for (const name of ['starred', 'collapsed']) await changeFlag(ben, 'add', name, [starred])
  await changeFlag(ben, 'add', 'read', [starred, plain])
  await ben.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  return { org, anna, ben, channel, send, starred, plain }
}

const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' } }

test('a star on a message that the user may no longer read can be removed, but not set', async () => {
  const { ben, starred, plain } = await setting()
  const client = await ben.register()
  expect(client.state.starred_messages).toEqual([starred])
  expect(await changeFlag(ben, 'add', 'starred', [plain])).toMatchObject(refused)
  expect(await changeFlag(ben, 'remove', 'starred', [starred, plain])).toMatchObject(refused)
  expect((await changeFlag(ben, 'remove', 'starred', [starred])).body).toMatchObject({ messages: [starred] })
  expect(await client.events()).toMatchObject([
    { type: 'update_message_flags', op: 'remove', flag: 'starred', messages: [starred] },
  ])
  await client.expectStateToMatch()
  expect((await ben.register()).state.starred_messages).toEqual([])
  expect((await changeFlag(ben, 'remove', 'collapsed', [starred])).body).toMatchObject({ result: 'success' })
  expect(await changeFlag(ben, 'remove', 'collapsed', [starred])).toMatchObject(refused)
})

test('messages that do not exist, or that the user never received, cannot be marked as unread', async () => {
  const { org, ben, channel, send, plain } = await setting()
  const outsider = await org.person()
  const later = await send()
  for (const [who, id] of [
    [ben, 999_999],
    [ben, later],
    [outsider, plain],
  ] as const) {
    expect(await changeFlag(who, 'remove', 'read', [id])).toMatchObject(refused)
    // Marking a missing message as read has no effect.
    expect((await changeFlag(who, 'add', 'read', [id])).body).toMatchObject({
      result: 'success',
      messages: [id],
    })
  }
  expect((await changeFlag(ben, 'remove', 'read', [plain])).body).toMatchObject({
    messages: [plain],
    ignored_because_not_subscribed_channels: [channel.id],
  })
})
