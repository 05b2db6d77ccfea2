import { expect, test } from 'vitest'
import { rookery, runHere } from '../../../test/command-line.ts'
import { sender } from '../../../test/messages.ts'
import type { Organization } from '../../../test/organization.ts'
import { severalDatabases } from '../../../test/processes/several-databases.ts'
import { moveLock } from '../../db/move-lock.ts'
import { systemClock } from '../../lib/clock.ts'
import { ignore } from '../../lib/guard.ts'
import { logLimits } from '../limits.ts'
import { removeLeftBehind } from './left-behind.ts'

const { all, urls, environment, connectionsTo, move, headsIn, rowsIn, block, gateAt } = severalDatabases()

test.each([
  ['when nobody can write any more', 'moved_head', 'main'],
  ['when it is decided', 'realm_head', 'second'],
])('%s leaves the organization in one database, where it goes on immediately', async (_, table, place) => {
  const org = await all.organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const client = await org.owner.register({ event_types: ['message'] })
  const send = sender(org.owner, channel)
  await send('before', 'one')
  const gate = await gateAt('second', table)
  const moving = rookery(`realm move ${org.state.row.subdomain} --to second`, await environment())
  await expect.poll(gate.isAwaited).toBe(true)
  const sending = send('during', 'two')
  await moving.kill()
  await gate.open()
  await sending
  expect((await all.node.app.realms.places.of(org.id)).database).toBe(place)
  const heads = await Promise.all(['main', 'second'].map((name) => headsIn(name, org)))
  expect(heads).toEqual(['main', 'second'].map((name) => (name === place ? 1 : 0)))
  // It can be repeated.
  if (place === 'main') await move(org, 'second')
  await send('after', 'three')
  expect((await client.events()).map(({ message }) => message.content)).toEqual(
    ['one', 'two', 'three'].map((text) => `<p>${text}</p>`),
  )
  expect(await headsIn('second', org)).toBe(1)
  // Its name is free where it was.
  const left = connectionsTo('main').read.selectFrom('realm').where('id', '=', org.id).select('subdomain')
  await expect.poll(() => left.execute()).toEqual([{ subdomain: `#${org.id}` }])
})

test('hangs: the organization goes on where it was, and the command ends without moving anything', async () => {
  const org = await all.organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const gate = await gateAt('second', 'moved_head')
  const failing = expect(move(org, 'second')).rejects.toThrow()
  await expect.poll(gate.isAwaited).toBe(true)
  await sender(org.owner, channel)('during', 'one')
  await gate.open()
  await failing
  await sender(org.owner, channel)('after', 'two')
  expect([await headsIn('main', org), await headsIn('second', org)]).toEqual([1, 0])
})

test('while a restore is told to the server lets clients of that organization, too, register anew', async () => {
  const org = await all.organization()
  const { queue_id, last_event_id } = (await org.owner.post('/register', { event_types: ['message'] })).body
  const gate = await gateAt('second', 'moved_head')
  const failing = expect(move(org, 'second')).rejects.toThrow()
  await expect.poll(gate.isAwaited).toBe(true)
  expect(await runHere('restored', await environment())).toMatchObject({ status: 0 })
  await endMoveOf(org)
  await gate.open()
  await failing
  const poll = () => org.owner.get('/events', { queue_id, last_event_id, dont_block: true })
  await expect.poll(async () => (await poll()).body.code).toBe('BAD_EVENT_QUEUE_ID')
})

test('when it has copied everything leaves no copy for long, though nobody asks for the organization', async () => {
  const org = await all.organization()
  const hold = await block('main', `SELECT FROM realm_head WHERE realm_id = ${org.id} FOR KEY SHARE`)
  const failing = expect(move(org, 'second')).rejects.toThrow()
  await expect.poll(hold.isAwaited).toBe(true)
  await endMoveOf(org)
  await failing
  await hold.release()
  expect(Object.keys(await rowsIn('second', org))).toContain('account')
  const later = systemClock() + 2 * logLimits.leftBehindSeconds
  await removeLeftBehind(all.node.app.realms.databases, urls(), later, ignore)
  expect(await rowsIn('second', org)).toEqual({})
  expect(await headsIn('main', org)).toBe(1)
})

test('loses the other database after the decision: it says that the organization has moved, and that goes on there', async () => {
  const org = await all.organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const gate = await gateAt('second', 'realm_head')
  const lines: string[] = []
  const moving = move(org, 'second', false, (line) => lines.push(line))
  await expect.poll(gate.isAwaited).toBe(true)
  await connectionsTo('second').pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
  )
  await moving
  await gate.open()
  expect(lines.at(-1)).toMatch(/^It has moved, and a server opens it there: /)
  await sender(org.owner, channel)('after', 'one')
  expect(await headsIn('second', org)).toBe(1)
})

/** Ends the connection with which a command shows that it lives. */
async function endMoveOf({ id }: Organization) {
  await connectionsTo('main').pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE datname = current_database() AND locktype = 'advisory' AND classid = $1 AND objid = $2`,
    [moveLock, id],
  )
}
