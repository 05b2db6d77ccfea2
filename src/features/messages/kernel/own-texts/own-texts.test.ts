import { expect, test } from 'vitest'
import { sharedServer } from '../../../../../test/test-server.ts'
import { ownTextLimits } from './limits.ts'

const server = sharedServer()

/** So long that the limits of their number are not reached. */
const length = 10_510
const nearlyAll = Math.floor((ownTextLimits.ownTextsMib * 2 ** 20) / length)
/** Two bytes for each of its characters. */
const long = 'ü'.repeat(9_990)

test('what users keep for themselves has a limit in bytes, as lists return all of it', async () => {
  const org = await server.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const { body: sent } = await ben.post('/messages', { type: 'direct', to: [anna.id], content: long })
  const due = Math.floor(Date.now() / 1000) + 86_400
  const scheduled = { type: 'direct', to: [anna.id], scheduled_delivery_timestamp: due }
  const reminder = { message_id: sent.id, scheduled_delivery_timestamp: due }
  const { body: mine } = await anna.post('/saved_snippets', { title: 'short', content: 'short' })
  await org.log.commit(async (change) => {
    const texts = Array.from({ length: nearlyAll }, () => ({ content: 'd'.repeat(length) }))
    const [user_id, sender_id] = [anna.id, anna.id]
    const html = { rendered_content: '', deliver_at: due }
    await change.insertAll(
      'draft',
      texts.map((text) => ({ user_id, topic: '', edited_at: 1, ...text })),
    )
    await change.insertAll(
      'saved_snippet',
      texts.map((text) => ({ user_id, title: 't', created_at: 1, ...text })),
    )
    await change.insertAll(
      'scheduled_message',
      texts.slice(1).map((text) => {
        return {
          sender_id,
          user_ids: [anna.id],
          topic: '',
          client: 'x',
          read_by_sender: true,
          ...html,
          ...text,
        }
      }),
    )
    await change.insertAll(
      'reminder',
      texts.slice(1).map((text) => ({ user_id, message_id: sent.id, ...html, ...text })),
    )
  })
  const draft = { type: '', to: [], topic: '', timestamp: 1 }
  for (const [kind, answer] of [
    ['drafts', await anna.post('/drafts', { drafts: [{ ...draft, content: long }] })],
    ['saved snippets', await anna.post('/saved_snippets', { title: 'long', content: long })],
    ['saved snippets', await anna.patch(`/saved_snippets/${mine.saved_snippet_id}`, { content: long })],
    ['scheduled messages', await anna.post('/scheduled_messages', { ...scheduled, content: long })],
    ['reminders', await anna.post('/reminders', reminder)],
  ] as const) {
    const msg = `Too many long ${kind} (limit: ${ownTextLimits.ownTextsMib} MiB together)`
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } })
  }
  expect((await anna.post('/drafts', { drafts: [{ ...draft, content: 'short' }] })).status).toBe(200)
  expect((await ben.post('/saved_snippets', { title: 'long', content: long })).status).toBe(200)
})

test('beyond the limit, as kept before there was one, a text becomes shorter, and no longer', async () => {
  const org = await server.organization()
  const anna = await org.person()
  const [first] = await org.log.commit((change) =>
    change.insertAll(
      'draft',
      Array.from({ length: nearlyAll + 2 }, () => ({
        user_id: anna.id,
        topic: '',
        edited_at: 1,
        content: 'd'.repeat(length),
      })),
    ),
  )
  const change = async (content: string) => {
    const draft = { type: '', to: [], topic: '', timestamp: 1, content }
    return (await anna.patch(`/drafts/${first!.id}`, { draft })).status
  }
  expect([await change('d'.repeat(9_000)), await change('d'.repeat(9_001))]).toEqual([200, 400])
})
