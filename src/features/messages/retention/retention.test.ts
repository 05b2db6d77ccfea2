import { expect, test } from 'vitest'
import { jobsOf, runAcross } from '../../../../test/jobs.ts'
import { contentsOf, sender } from '../../../../test/messages.ts'
import { testServer } from '../../../../test/test-server.ts'

const all = testServer({ queueIdleSeconds: 86_400 * 100 })
const day = 86_400

test('deletes messages after their retention period and notifies the users who had them', async () => {
  const org = await all.organization()
  const [anna, ben, eve] = [await org.person(), await org.person(), await org.person()]
  const [short, kept, whole] = [
    await org.channel({ subscribers: [anna, ben] }),
    await org.channel({ subscribers: [anna, ben] }),
    await org.channel({ subscribers: [anna, ben] }),
  ]
  const settings: [string, number | string][] = [
    ['/realm', 30],
    [`/streams/${short.id}`, 7],
    [`/streams/${whole.id}`, '"unlimited"'],
  ]
  for (const [path, days] of settings) {
    const { body } = await org.owner.patch(path, { message_retention_days: days })
    expect(body).toMatchObject({ result: 'success' })
  }
  const places = [short, kept, whole]
  for (const channel of places) for (const topic of ['a', 'b']) await sender(anna, channel)(topic, 'old')
  await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'old' })
  const [bens, eves] = [await ben.register(), await eve.register({ event_types: ['delete_message'] })]
  const said = async () =>
    Promise.all(
      places.map(
        async (channel) => (await contentsOf(ben, channel)).filter((one) => one[1] === 'old').length,
      ),
    )
  const direct = async () => {
    const page = {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'dm' }],
    }
    return (await ben.get('/messages', page)).body.messages.map(
      (message: { content: string }) => message.content,
    )
  }

  all.pass(8 * day)
  await sender(anna, short)('a', 'new')
  await all.workOff()
  expect(await said()).toEqual([0, 2, 2])
  expect((await contentsOf(ben, short)).map(([, content]) => content)).toEqual(
    expect.arrayContaining(['new']),
  )
  const gone = (await bens.events()).filter((event) => event.type === 'delete_message')
  expect(gone.map((event) => event.topic)).toEqual(expect.arrayContaining(['a', 'b']))
  await bens.expectStateToMatch()

  all.pass(30 * day)
  await all.workOff()
  expect(await said()).toEqual([0, 0, 2])
  expect(await direct()).toEqual([])
  expect(await eves.events()).toEqual([])
  const left = (await ben.register()).state.unread_msgs
  expect(left.streams.every((one: { stream_id: number }) => one.stream_id === whole.id)).toBe(true)
})

test('looks again an hour after it began to look, however long that takes', async () => {
  const org = await all.organization()
  const begun = await runAcross(all, org, { pause: 3_600, seconds: 10 })
  const [job] = await jobsOf(org, 'retention')
  expect(job!.due_at).toBeLessThanOrEqual(begun + 3_600)
})
