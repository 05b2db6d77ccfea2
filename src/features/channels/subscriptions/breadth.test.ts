import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'
import { subscriptionLimits } from './limits.ts'

const { organization } = sharedServer()
const path = '/users/me/subscriptions'

// Each channel and user of such a request is a row, and a part of events, so their product is limited.
test.each(['post', 'delete'] as const)(
  '%s: many users in many channels are refused first of all',
  async (method) => {
    const org = await organization()
    const names = Array.from({ length: 200 }, (_, i) => `room ${i}`)
    const subscriptions = method === 'post' ? names.map((name) => ({ name })) : names
    const most = subscriptionLimits.subscriptionsPerRequest / 200
    const ask = (count: number) =>
      org.owner[method](path, { subscriptions, principals: Array(count).fill(org.owner.id) })
    const { status, body } = await ask(most + 1)
    expect(status).toBe(400)
    expect(body.msg).toBe(`principals has too many values for 200 channels (limit: ${most})`)
    expect(org.state.channels.size).toBe(0)
    expect((await ask(most)).body.msg).not.toContain('principals')
  },
)

test.each(['post', 'delete'] as const)('%s: so are very many channels', async (method) => {
  const org = await organization()
  const names = Array.from({ length: channelLimits.channelsPerRequest + 1 }, (_, i) => `room ${i}`)
  const subscriptions = method === 'post' ? names.map((name) => ({ name })) : names
  const { body } = await org.owner[method](path, { subscriptions })
  expect(body.msg).toBe(`subscriptions has too many values (limit: ${channelLimits.channelsPerRequest})`)
})
