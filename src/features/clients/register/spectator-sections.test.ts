import { expect, test } from 'vitest'
import { changeRealm } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('spectators receive every part of the data that a client requests for a page without login', async () => {
  const org = await organization()
  await changeRealm(org, { enable_spectator_access: true })
  const open = await org.channel({ isWebPublic: true, name: 'open', subscribers: [org.owner] })
  await org.channel({ name: 'closed', subscribers: [org.owner] })
  const { body } = await org.visitor.post('/register')
  expect(body).toMatchObject({
    has_zoom_token: false,
    navigation_tour_video_url: null,
    push_devices: {},
    server_timestamp: expect.any(Number),
    streams: [{ stream_id: open.id, name: 'open' }],
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  })
})
