import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { jobsOf } from '../../../../test/jobs.ts'
import { messagesOf } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization, anotherNode, pass, workOff } = testServer()

let ahead = 0
const inAnHour = () => Math.floor(Date.now() / 1000) + ahead + 3_600

/** Advances the time by a little more than an hour. */
function wait() {
  ahead += 3_700
  pass(3_700)
}

async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization())
  const schedule = async (more: object = {}): Promise<number> => {
    const message = { type: 'channel', to: channel.id, topic: 't', content: 'now', ...more }
    const params = { ...message, scheduled_delivery_timestamp: inAnHour() }
    return (await anna.post('/scheduled_messages', params)).body.scheduled_message_id
  }
  return { org, anna, ben, channel, schedule }
}

/** Waits until a client has received an event of this type. */
async function hear(client: Client, type: string, op?: string) {
  const heard: Record<string, unknown>[] = []
  await expect
    .poll(async () => {
      heard.push(...(await client.events()))
      return heard.some((event) => event.type === type && (!op || event.op === op))
    })
    .toBe(true)
  return heard
}

const contents = async (who: Person) => (await messagesOf(who)).map(({ content }) => content)

test('a message is sent once when it is due, and is then no longer scheduled', async () => {
  const { org, anna, ben, channel, schedule } = await setting()
  await anotherNode()
  await schedule({ content: '@**all** now' })
  await schedule({ type: 'direct', to: [ben.id], content: 'to you' })
  const mine = await anna.register()
  expect(await contents(ben)).toEqual([])
  wait()
  await expect.poll(async () => (await jobsOf(org, 'scheduled_message')).length).toBe(0)
  expect((await contents(ben)).sort()).toEqual(['@**all** now', 'to you'])
  const page = { anchor: 'newest', num_before: 9, num_after: 0 }
  const sent: Record<string, unknown>[] = (await ben.get('/messages', page)).body.messages
  expect(sent.map((message) => message.sender_id)).toEqual([anna.id, anna.id])
  expect(sent.find((message) => message.type === 'stream')).toMatchObject({
    stream_id: channel.id,
    subject: 't',
    flags: ['stream_wildcard_mentioned', 'wildcard_mentioned'],
  })
  expect((await anna.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
  await mine.expectStateToMatch()
})

test('messages that were due while the server was down are sent when it starts', async () => {
  const { org, anna, ben, schedule } = await setting()
  await schedule()
  // The state that a node leaves that crashed during the job.
  await org.log.commit((change) =>
    change.run(sql`UPDATE job SET due_at = 1, attempts = 3, leased_until = 0 WHERE realm_id = ${org.id}`),
  )
  await expect.poll(() => contents(ben)).toEqual(['now'])
  expect((await anna.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
})

test('while one node runs a job, the others leave it alone', async () => {
  const { org, ben, schedule } = await setting()
  await schedule()
  const lease = Math.floor(Date.now() / 1000) + ahead + 50
  await org.log.commit((change) =>
    change.run(sql`UPDATE job SET due_at = 1, leased_until = ${lease} WHERE realm_id = ${org.id}`),
  )
  await workOff()
  expect(await contents(ben)).toEqual([])
  ahead += 60
  pass(60)
  await expect.poll(() => contents(ben)).toEqual(['now'])
})

test('keeps a message that can no longer be sent with its error, and retries it after a change', async () => {
  const { org, anna, ben, channel, schedule } = await setting()
  const id = await schedule()
  const client = await anna.register({ event_types: ['scheduled_messages', 'message'] })
  const setWho = (group: 'role:nobody' | 'role:everyone') =>
    org.log.commit((change) => {
      const { permissions } = change.state.channels.require(channel.id)
      const can_send_message_group = org.group(group)
      return change.update('channel', {
        id: channel.id,
        permissions: { ...permissions, can_send_message_group },
      })
    })
  await setWho('role:nobody')
  wait()
  const heard = await hear(client, 'message')
  expect(heard).toMatchObject([
    {
      type: 'scheduled_messages',
      op: 'update',
      scheduled_message: { scheduled_message_id: id, failed: true },
    },
    { type: 'message', message: { sender_full_name: 'Notification Bot' } },
  ])
  await client.expectStateToMatch()
  expect((await contents(anna))[0]).toContain('You do not have permission to post in this channel.')
  expect(await contents(ben)).toEqual([])
  await setWho('role:everyone')
  // Changing only the text must not send it immediately, at a time that the user has not chosen.
  const early = await anna.patch(`/scheduled_messages/${id}`, { content: 'at last' })
  expect(early).toMatchObject({
    status: 400,
    body: { msg: 'Scheduled delivery time must be in the future.' },
  })
  const time = inAnHour()
  await anna.patch(`/scheduled_messages/${id}`, { content: 'at last', scheduled_delivery_timestamp: time })
  expect((await client.events())[0]).toMatchObject({ op: 'update', scheduled_message: { failed: false } })
  wait()
  await hear(client, 'message')
  expect(await contents(ben)).toEqual(['at last'])
  await client.expectStateToMatch()
})

test('a job that no node finishes is set aside', async () => {
  const { org, anna, ben, schedule } = await setting()
  await schedule()
  await org.log.commit((change) =>
    change.run(sql`UPDATE job SET due_at = 1, attempts = 1000 WHERE realm_id = ${org.id}`),
  )
  await expect.poll(async () => (await jobsOf(org, 'scheduled_message'))[0]!.parked_at).not.toBeNull()
  expect((await anna.get('/scheduled_messages')).body.scheduled_messages).toMatchObject([{ failed: true }])
  expect(await contents(ben)).toEqual([])
})

test('a canceled message is not sent', async () => {
  const { org, anna, ben, schedule } = await setting()
  const id = await schedule()
  await anna.delete(`/scheduled_messages/${id}`)
  expect(await jobsOf(org, 'scheduled_message')).toEqual([])
  wait()
  await workOff()
  expect(await contents(ben)).toEqual([])
})

test('a scheduled message does not name users whom its writer may not see', async () => {
  const { org } = await setting()
  const [guest, hidden] = [await org.person({ role: 'guest' }), await org.person({ name: 'Wombat' })]
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const content = `@_**|${hidden.id}**`
  const message = { type: 'direct', to: [guest.id], content, scheduled_delivery_timestamp: inAnHour() }
  const client = await guest.register()
  const { scheduled_message_id } = (await guest.post('/scheduled_messages', message)).body
  const [shown] = (await guest.get('/scheduled_messages')).body.scheduled_messages
  expect(shown.rendered_content).toBe(`<p>@_<strong>|${hidden.id}</strong></p>`)
  await guest.patch(`/scheduled_messages/${scheduled_message_id}`, { content: `again ${content}` })
  expect(JSON.stringify(await client.events())).not.toContain('Wombat')
})
