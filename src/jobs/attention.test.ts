import { expect, test } from 'vitest'
import { Attention } from './attention.ts'
import { jobLimits } from './limits.ts'

test('after a look at all organizations, only those with activity are looked at, until it is time for all again', () => {
  let now = 1_000
  let note = (_: number) => {}
  const realms = {
    onActivity(listener: (realmId: number) => void) {
      note = listener
    },
  }
  const attention = new Attention(realms, () => now)
  expect(attention.take()).toBeUndefined()
  expect(attention.take()).toEqual([])
  for (const id of [3, 4, 3]) note(id)
  expect(attention.take()).toEqual([3, 4])
  expect(attention.take()).toEqual([])
  attention.note(5)
  attention.noteAll()
  expect(attention.take()).toBeUndefined()
  expect(attention.take()).toEqual([])
  now += jobLimits.allSeconds
  expect(attention.take()).toBeUndefined()
})
