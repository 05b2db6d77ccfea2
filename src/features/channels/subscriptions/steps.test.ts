import { expect, test } from 'vitest'
import type { Answer } from '../../../../test/http.ts'
import type { Organization } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { subscriptionLimits } from './limits.ts'

const { organization } = sharedServer()
const path = '/users/me/subscriptions'

/** A number of users that takes at least three steps. */
const count = 4 * subscriptionLimits.subscriptionsInFirstStep

const crowd = (org: Organization) => org.crowd(count)

/**
 * Sends a message as soon as the first step of a request is done. Returns whether the request finished before the
 * message was sent.
 */
async function sendMeanwhile(org: Organization, channelId: number, ask: () => Promise<Answer>) {
  const begun = new Promise<void>((resolve) => org.log.listen(() => resolve()))
  let isDone = false
  const done = ask().finally(() => {
    isDone = true
  })
  await begun
  const content = 'meanwhile'
  const sent = await org.owner.post('/messages', { type: 'stream', to: channelId, topic: 't', content })
  expect(sent.body).toMatchObject({ result: 'success' })
  return { wasFirst: !isDone, answer: (await done).body }
}

test('other users send while very many users are subscribed and unsubscribed', async () => {
  const org = await organization()
  const [channel, other] = [
    await org.channel({ name: 'all' }),
    await org.channel({ subscribers: [org.owner] }),
  ]
  const principals = await crowd(org)
  const admin = await org.person({ role: 'administrator' })
  const client = await org.owner.register()
  const params = { subscriptions: [{ name: 'all' }], principals }
  const added = await sendMeanwhile(org, other.id, () => admin.post(path, params))
  expect(added.wasFirst).toBe(true)
  expect(Object.keys(added.answer.subscribed)).toHaveLength(count)
  expect(added.answer.new_subscription_messages_sent).toBe(false)
  const { subscribers } = (await org.owner.get(`/streams/${channel.id}/members`)).body
  expect(subscribers).toEqual(principals)
  const removed = await sendMeanwhile(org, other.id, () =>
    admin.delete(path, { subscriptions: ['all'], principals }),
  )
  expect(removed.wasFirst).toBe(true)
  expect(removed.answer.removed).toHaveLength(count)
  await client.expectStateToMatch()
})

test('other users send while many channels are created, each with its subscribers', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const other = await org.channel({ subscribers: [org.owner] })
  const client = await bob.register()
  // Enough steps that another request, which takes a few turns of the event loop, is served between two of them.
  const subscriptions = Array.from({ length: 10 * subscriptionLimits.channelsPerStep }, (_, i) => ({
    name: `room ${i}`,
  }))
  const principals = [ann.id, bob.id]
  const members: number[] = []
  org.log.listen(() => {
    for (const { id, name } of org.state.channels.values()) {
      if (name.startsWith('room')) members.push(org.state.subscriptionsOfChannel(id).size)
    }
  })
  const { wasFirst, answer } = await sendMeanwhile(org, other.id, () =>
    ann.post(path, { subscriptions, principals }),
  )
  expect(wasFirst).toBe(true)
  expect(answer.subscribed[bob.id]).toEqual(subscriptions.map(({ name }) => name).sort())
  expect(new Set(members)).toEqual(new Set([2]))
  // One message announces all of them.
  const heard = (await client.events()).filter(({ type }) => type === 'message')
  expect(heard.filter(({ message }) => message.type === 'private')).toHaveLength(0)
  await client.expectStateToMatch()
})
