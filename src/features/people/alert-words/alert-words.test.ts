import { expect, test } from 'vitest'
import { processorSeconds } from '../../../../test/runner/effort.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { httpLimits } from '../../../http/limits.ts'

const { organization } = sharedServer()

test('words are added, listed and removed, ignoring case, and only their user is notified', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const [own, other] = [await anna.register(), await ben.register()]
  const path = '/users/me/alert_words'
  expect((await anna.post(path, { alert_words: [' milk ', 'cookies', ''] })).body.alert_words).toEqual([
    'milk',
    'cookies',
  ])
  expect((await anna.post(path, { alert_words: ['MILK', 'tea'] })).body.alert_words).toEqual([
    'milk',
    'cookies',
    'tea',
  ])
  await own.expectStateToMatch()
  expect((await anna.delete(path, { alert_words: ['Milk', 'nope'] })).body.alert_words).toEqual([
    'cookies',
    'tea',
  ])
  expect((await anna.get(path)).body.alert_words).toEqual(['cookies', 'tea'])
  expect((await own.events()).at(-1)).toMatchObject({ type: 'alert_words', alert_words: ['cookies', 'tea'] })
  await own.expectStateToMatch()
  expect(await other.events()).toEqual([])
  expect((await ben.get(path)).body.alert_words).toEqual([])
})

test('words are validated', async () => {
  const org = await organization()
  const add = async (alert_words: unknown) =>
    (await org.owner.post('/users/me/alert_words', { alert_words: JSON.stringify(alert_words) })).body.msg
  expect(await add(['x'.repeat(101)])).toBe('alert_words[0] is too long (limit: 100 characters)')
  expect(await add([1])).toBe('alert_words[0] is not a string')
  expect((await org.owner.post('/users/me/alert_words')).body.code).toBe('REQUEST_VARIABLE_MISSING')
})

test('very many words are refused and removed immediately, without delaying other requests', async () => {
  const org = await organization()
  const path = '/users/me/alert_words'
  const alert_words = Array.from({ length: httpLimits.listLength }, (_, i) => `word ${i}`)
  const thousand = alert_words.slice(0, 1_000)
  const seconds = await processorSeconds(async () => {
    expect((await org.owner.post(path, { alert_words })).body.msg).toBe('You have too many alert words.')
    expect((await org.owner.post(path, { alert_words: thousand })).body.alert_words).toEqual(thousand)
    expect((await org.owner.delete(path, { alert_words })).body.alert_words).toEqual([])
  })
  expect(seconds).toBeLessThan(1)
})
