import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Person } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'
import { httpLimits } from '../limits.ts'

const { organization, anotherNode } = testServer()

const ping = (who: Person, params: object = {}) =>
  who.post('/users/me/presence', { status: 'active', ping_only: true, ...params })

test('of requests that go on together, each gets its own answer', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const asked = Array.from({ length: 3 * httpLimits.requestsPerBatch }, (_, i) => {
    if (i % 3 === 0) return ping(anna)
    return ping(ben, i % 3 === 1 ? { status: `away${i}` } : { ping_only: false, last_update_id: -1 })
  })
  const answers = await Promise.all(asked)
  for (const [i, { status, body }] of answers.entries()) {
    if (i % 3 === 0) expect(body).toEqual({ result: 'success', msg: '' })
    else if (i % 3 === 1) expect(body).toMatchObject({ result: 'error', msg: `Invalid status: away${i}` })
    else expect({ status, ...body }).toMatchObject({ status: 200, presences: expect.anything() })
  }
})

test('a client that leaves while waiting keeps no other from a response', async () => {
  const { owner } = await organization()
  const { port, host } = owner.place
  const first = ping(owner)
  const leaver = connect(port, '127.0.0.1')
  leaver.write(
    `POST /api/v1/users/me/presence HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 13\r\n\r\nstatus=active`,
  )
  await sleep(httpLimits.batchMs / 4)
  leaver.destroy()
  const answers = await Promise.all([first, ping(owner), ping(owner)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('who waits when a server stops gets an answer', async () => {
  const { owner } = await organization()
  const node = await anotherNode()
  const there = owner.at({ port: node.port, host: '127.0.0.1' })
  const asked = Array.from({ length: 4 }, () => ping(there))
  // When the first has come, all of them have.
  await Promise.race(asked)
  await node.close()
  const answers = await Promise.all(asked)
  expect(answers.map(({ body }) => body)).toEqual(Array(4).fill({ result: 'success', msg: '' }))
})
