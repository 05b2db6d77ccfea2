import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LaterOffers } from './later-offers.ts'
import { queueLimits } from './limits.ts'

/** Clients that wait for two turns of the event loop after their first one, and what has happened. */
function clients() {
  const offered: number[] = []
  const later = new LaterOffers<number>((client) => void offered.push(client))
  for (let client = 0; client < 2 * queueLimits.clientsPerStep; client++) later.add(client, 7)
  return { offered, later }
}

test('an end is told when all have had their turns who waited for one then', async () => {
  const { offered, later } = clients()
  const ends: number[] = []
  later.whenOver(() => ends.push(offered.length))
  while (offered.length === 0) await turn()
  later.add(-1, 8)
  later.whenOver(() => ends.push(offered.length))
  expect(ends).toEqual([])
  while (ends.length < 2) await turn()
  later.whenOver(() => ends.push(offered.length))
  const all = 2 * queueLimits.clientsPerStep
  expect(ends).toEqual([all, all + 1, all + 1])
})

test('clients that leave are not waited for', async () => {
  const { offered, later } = clients()
  let isOver = false
  later.whenOver(() => {
    isOver = true
  })
  for (let client = 0; client < 2 * queueLimits.clientsPerStep; client++) later.remove(client)
  while (!isOver) await turn()
  expect(offered).toEqual([])
})

test('a client whose offer fails does not keep it from others', async () => {
  const offered: number[] = []
  const later = new LaterOffers<number>((client) => {
    if (client === 1) throw new Error('a fault that the test makes')
    offered.push(client)
  })
  for (const client of [1, 2]) later.add(client, 7)
  while (offered.length === 0) await turn()
  expect(offered).toEqual([2])
})
