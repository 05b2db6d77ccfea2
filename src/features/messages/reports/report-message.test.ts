import { expect, test } from 'vitest'
import { changeRealm, contentsOf, sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function setting() {
  const org = await organization()
  const [anna, ben, mod] = [await org.person(), await org.person({ name: 'Ben Bauer' }), await org.person()]
  const channel = await org.channel({ name: 'talk', subscribers: [anna, ben] })
  const reports = await org.channel({ subscribers: [mod], isPrivate: true })
  await changeRealm(org, { moderation_request_channel_id: reports.id })
  const id = await sender(ben, channel)('t', 'buy ```this```')
  return { org, anna, ben, mod, channel, reports, id }
}

test('a report reaches the moderators and no other user', async () => {
  const { anna, ben, mod, reports, id } = await setting()
  const clients = [await anna.register(), await ben.register()]
  const moderators = await mod.register()
  const report = { report_type: 'spam', description: 'again ```\nand again' }
  expect((await anna.post(`/messages/${id}/report`, report)).body).toEqual({ result: 'success', msg: '' })
  expect(await moderators.events()).toMatchObject([{ type: 'message', message: { stream_id: reports.id } }])
  const [found] = await contentsOf(mod, reports)
  expect(found![0]).toBe('Reports about Ben Bauer')
  for (const part of ['Spam', 'again', 'buy ```this```', `/near/${id}`, `|${anna.id}**`])
    expect(found![1]).toContain(part)
  for (const client of clients) expect(await client.events()).toEqual([])
  await moderators.expectStateToMatch()
})

test('users who may read a direct message may report it', async () => {
  const { anna, ben, mod, reports } = await setting()
  const { body } = await ben.post('/messages', { type: 'direct', to: [anna.id], content: 'psst' })
  const path = `/messages/${body.id}/report`
  expect((await mod.post(path, { report_type: 'norms' })).body.msg).toBe('Invalid message(s)')
  expect((await anna.post(path, { report_type: 'norms' })).body.result).toBe('success')
  expect((await contentsOf(mod, reports)).at(-1)![1]).toContain('psst')
})

test('a report of a very long message keeps its end', async () => {
  const { anna, ben, mod, channel, reports } = await setting()
  const id = await sender(ben, channel)('t', 'x'.repeat(10_000))
  await anna.post(`/messages/${id}/report`, { report_type: 'other', description: 'y'.repeat(1_000) })
  expect((await contentsOf(mod, reports)).at(-1)![1]).toMatch(/x\n```$/)
})

test('a report needs a reason and a moderation channel', async () => {
  const { org, anna, id } = await setting()
  const path = `/messages/${id}/report`
  const msg = async (sent: object) => (await anna.post(path, { ...sent })).body.msg
  expect(await msg({})).toBe("Missing 'report_type' argument")
  expect(await msg({ report_type: 'nice' })).toBe('Invalid report_type')
  expect(await msg({ report_type: 'other', description: ' ' })).toBe('An explanation is required.')
  expect(await msg({ report_type: 'spam', description: 'x'.repeat(1_001) })).toContain('description')
  expect((await anna.post('/messages/999999/report', { report_type: 'spam' })).body.msg).toBe(
    'Invalid message(s)',
  )
  await changeRealm(org, { moderation_request_channel_id: -1 })
  expect(await msg({ report_type: 'spam' })).toBe('Message reporting is not enabled in this organization.')
})
