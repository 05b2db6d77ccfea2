import { expect, test } from 'vitest'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('members are told which channels of full members a new waiting period hides and shows', async () => {
  const { org, admin, anna, ben } = await cast(await organization())
  const channel = await org.channel({ isPrivate: true, subscribers: [ben, admin] })
  const other = await org.channel({ isPrivate: true, subscribers: [ben] })
  const crew = { name: 'crew', description: '', members: [], subgroups: [org.group('role:fullmembers')] }
  const { group_id } = (await admin.post('/user_groups/create', crew)).body
  await admin.patch(`/streams/${channel.id}`, { can_subscribe_group: { new: group_id } })
  const [annas, bens] = [await anna.register(), await ben.register()]
  for (const days of [3, 0]) {
    await org.owner.patch('/realm', { waiting_period_threshold: days })
    const events = (await annas.events()).filter(({ type }) => type === 'stream')
    expect(events).toMatchObject([days > 0 ? { op: 'delete', stream_ids: [channel.id] } : { op: 'create' }])
    expect((await bens.events()).filter(({ type }) => type === 'stream')).toEqual([])
    for (const client of [annas, bens]) await client.expectStateToMatch()
  }
  expect(JSON.stringify((await anna.register()).state.never_subscribed)).not.toContain(`"${other.name}"`)
})
