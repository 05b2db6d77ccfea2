import type { LookupAddress } from 'node:dns'
import { setImmediate as others } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NameLookups } from './name-lookups.ts'

const options = { all: true } as const

/** Lookups that end when the test says so. */
function heldLookups() {
  const asked: string[] = []
  let end: (addresses: LookupAddress[]) => void
  const lookups = new NameLookups((hostname) => {
    asked.push(hostname)
    return new Promise((resolve) => {
      end = resolve
    })
  })
  /** Ends the running look-up, and lets the next one begin. */
  const answer = async (address: string) => {
    end([{ address, family: 4 }])
    await others()
  }
  return { lookups, asked, answer }
}

test('requests to one host share its lookup, and later ones look again', async () => {
  const { lookups, asked, answer } = heldLookups()
  const found = [1, 2, 3].map(() => lookups.find('a.example', options))
  await others()
  found.push(lookups.find('a.example', options))
  await answer('192.0.2.1')
  expect(await Promise.all(found)).toEqual(found.map(() => [{ address: '192.0.2.1', family: 4 }]))
  expect(asked).toEqual(['a.example'])
  const later = lookups.find('a.example', options)
  await others()
  await answer('192.0.2.2')
  expect(await later).toEqual([{ address: '192.0.2.2', family: 4 }])
})

test('names of a domain whose server is silent do not hold up another domain', async () => {
  const { lookups, asked, answer } = heldLookups()
  const found = Array.from({ length: 20 }, (_, i) => lookups.find(`name${i}.silent.example`, options))
  found.push(lookups.find('quick.other', options))
  await others()
  expect(asked).toEqual(['name0.silent.example'])
  await answer('192.0.2.1')
  expect(asked.at(-1)).toBe('quick.other')
  await answer('192.0.2.1')
  expect(asked.at(-1)).toBe('name1.silent.example')
  // None is left to wait for a turn that does not come, which would fail in the middle of a later test.
  while (asked.length < found.length) await answer('192.0.2.1')
  await answer('192.0.2.1')
  await Promise.all(found)
})

test('a lookup that fails does so for those who share it, and ends its turn', async () => {
  let tries = 0
  const lookups = new NameLookups(() => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('no such name')) : Promise.resolve([])
  })
  const found = await Promise.allSettled([1, 2].map(() => lookups.find('a.example', options)))
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await lookups.find('a.example', options)).toEqual([])
})
