import { expect, test } from 'vitest'
import { direct } from '../../../../test/messages.ts'
import { pushed, worldOfPhones } from '../../../../test/programs/push-relay.ts'

const lines: string[] = []
const { all, server, cast } = worldOfPhones((line) => lines.push(line))

test('a relay that was down for a minute gets each notification once, in order', async () => {
  const { org, anna, ben, phone } = await cast()
  server.fault = 'down'
  const texts = Array.from({ length: 20 }, (_, i) => `message ${i}`)
  for (const content of texts.slice(0, 10)) await direct(anna, [ben], content)
  const before = server.requests
  await expect.poll(() => server.requests).toBeGreaterThan(before)
  const named = expect.objectContaining({
    component: 'push relay',
    msg: expect.stringContaining('relay failed'),
  })
  await expect.poll(() => lines.map((line) => JSON.parse(line))).toContainEqual(named)
  all.pass(60)
  for (const content of texts.slice(10)) await direct(anna, [ben], content)
  server.fault = 'none'
  await pushed(all, org, 5)
  expect(phone.texts()).toEqual(texts)
})

test('a notification whose confirmation is lost is not shown twice, and a slow relay blocks nothing', async () => {
  const { org, anna, ben, phone } = await cast()
  server.fault = 'silent'
  await direct(anna, [ben], 'heard twice')
  await expect.poll(() => phone.texts()).toEqual(['heard twice'])
  let answer = () => {}
  server.fault = {
    until: new Promise((resolve) => {
      answer = resolve
    }),
  }
  all.pass(60)
  await expect.poll(() => server.waiting).toBe(1)
  await direct(anna, [ben], 'while it is slow')
  expect(server.waiting).toBe(1)
  answer()
  await pushed(all, org, 5)
  expect(phone.texts()).toEqual(['heard twice', 'while it is slow'])
})

test('messages that are read while the relay is down are not sent', async () => {
  const { org, anna, ben, phone } = await cast()
  server.fault = 'down'
  const id = await direct(anna, [ben], 'read elsewhere')
  const before = server.requests
  await expect.poll(() => server.requests).toBeGreaterThan(before)
  await ben.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  server.fault = 'none'
  await pushed(all, org, 20)
  expect(phone.texts()).toEqual([])
  server.fault = 'down'
  await direct(anna, [ben], 'too old')
  all.pass(2 * 86_400)
  server.fault = 'none'
  await pushed(all, org, 20)
  expect(phone.texts()).toEqual([])
})

test('a device that the relay no longer knows fails, and others continue', async () => {
  const { org, anna, ben, carl, phone, carls } = await cast()
  const token = `fcm token of org ${org.id}`
  await ben.post('/users/me/android_gcm_reg_id', { token })
  const client = await ben.register()
  server.refused.set(`device ${phone.accountId}`, 'DEVICE_GONE')
  server.refused.set(token, 'DEVICE_GONE')
  await direct(anna, [ben, carl], 'to both')
  await direct(anna, [ben, carl], 'and again')
  await pushed(all, org)
  expect(carls.texts()).toEqual(['to both', 'and again'])
  const failed = { push_account_id: String(phone.accountId), status: 'failed', error_code: 'REQUEST_EXPIRED' }
  const told = (await client.events()).filter(({ type }) => type === 'push_device')
  expect(told).toEqual([{ id: expect.any(Number), type: 'push_device', ...failed }])
  await client.expectStateToMatch()
  const again = await ben.post('/mobile_push/test_notification', { token })
  expect(again.body.code).toBe('INVALID_PUSH_DEVICE_TOKEN')
  server.refused.clear()
  await ben.post('/mobile_push/register', phone.registration())
  await pushed(all, org)
  await direct(anna, [ben], 'here again')
  await pushed(all, org)
  expect(phone.texts()).toEqual(['here again'])
})

test('drops only the notification that the relay rejects', async () => {
  const { org, anna, ben, carl, phone, carls } = await cast()
  server.refused.set(`device ${phone.accountId}`, 'TOO_LARGE')
  await direct(anna, [ben, carl], 'to both')
  await pushed(all, org)
  server.refused.clear()
  await direct(anna, [ben, carl], 'to both again')
  await pushed(all, org)
  expect(phone.texts()).toEqual(['to both again'])
  expect(carls.texts()).toEqual(['to both', 'to both again'])
})

test('several nodes send each notification once', async () => {
  await Promise.all([all.anotherNode(), all.anotherNode()])
  const { org, anna, ben, phone } = await cast()
  const texts = Array.from({ length: 30 }, (_, i) => `message ${i}`)
  for (const content of texts) await direct(anna, [ben], content)
  await pushed(all, org)
  expect(phone.texts()).toEqual(texts)
})
