import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { poll } from '../../test/client.ts'
import { direct, sender } from '../../test/messages.ts'
import { newOrganization, type Organization } from '../../test/organization.ts'
import type { Person } from '../../test/person.ts'
import { newDatabase } from '../../test/runner/database.ts'
import { startNode, testServer } from '../../test/test-server.ts'
import { remember } from '../../test/time-machine.ts'
import { type NewMessage, sendMessageWrite } from '../features/kernel/messages/new-message.ts'
import { readHead } from './head.ts'

const server = testServer()
const { organization } = server

// The warnings of nodes are expected.
vi.spyOn(process, 'emitWarning').mockImplementation(() => {})

const ended = { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } }

async function listener(person: Person) {
  const { queueId, state } = await person.register({ event_types: ['message', 'stream'] })
  return { queueId, start: state.last_event_id as number }
}

async function numbers({ id }: Organization) {
  const { read } = server.node.app.realms.connections
  const rows = await read.rows<{ id: number }>(
    sql`SELECT id FROM event_log WHERE realm_id = ${id} ORDER BY id`,
  )
  return { logged: rows.map((row) => row.id), head: await readHead(read, id) }
}

describe('the database goes back under a node that runs', () => {
  test('which then remembers nothing that is no longer there, and leaves no hole', async () => {
    const org = await organization()
    const { owner } = org
    await direct(owner, [owner], 'before')
    const { goBack } = await remember(server.databaseUrl)
    const lost = await org.channel({ name: 'lost', subscribers: [owner], isPrivate: true })
    const lostId = await sender(owner, lost)('t', 'acknowledged, and lost')
    await goBack()

    const send = () => owner.post('/messages', { type: 'direct', to: [owner.id], content: 'after' })
    expect(await send()).toMatchObject({ status: 503, body: { code: 'SERVER_NOT_READY' } })
    const { body } = await send()
    expect(body.result).toBe('success')
    // A client that still knows the lost ids must not find other messages under them.
    expect(body.id).toBeGreaterThan(lostId)
    expect(org.state.channelByName('lost')).toBeUndefined()
    expect((await owner.get(`/messages/${lostId}`)).body.msg).toBe('Invalid message(s)')
    const { id: next } = await org.channel({ name: 'next', subscribers: [owner] })
    expect(next).toBeGreaterThan(lost.id)
    const { logged, head } = await numbers(org)
    expect(logged).toEqual(Array.from({ length: head.lastEventId }, (_, i) => i + 1))
  })

  test('and ends all queues, of waiting clients too: they may have received lost events', async () => {
    const org = await organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const [annas, bens] = [await listener(anna), await listener(ben)]
    const { goBack } = await remember(server.databaseUrl)
    await direct(org.owner, [anna], 'lost')
    const [heard] = (await poll(anna, annas.queueId, annas.start)).body.events
    const waiting = poll(anna, annas.queueId, heard.id, false)
    await goBack()
    // This needs no action by anyone.
    expect(await waiting).toMatchObject(ended)
    expect(await poll(ben, bens.queueId, bens.start)).toMatchObject(ended)
    expect(await listener(anna)).toMatchObject({ start: org.state.position })
  })

  test('a change that was begun before is not written', async () => {
    const { log } = await organization()
    const { goBack } = await remember(server.databaseUrl)
    await log.commit((change) => change.insert('user_group', { name: 'lost', created_at: 0 }))
    const { epoch } = log.state
    await goBack()
    const refused = { status: 503, code: 'SERVER_NOT_READY' }
    // The first write detects it. A caller that read the state before is refused even afterwards.
    for (let i = 0; i < 2; i++) {
      await expect(log.commitIn(epoch, async () => {})).rejects.toMatchObject(refused)
    }
    await expect(log.commitInGroup(sendMessageWrite, {} as NewMessage, epoch)).rejects.toMatchObject(refused)
    await expect(log.commit(async () => 'done')).resolves.toBe('done')
  })

  test('a node notices although another has written on from there', async () => {
    const org = await organization()
    const { log, owner, place } = org
    const { goBack } = await remember(server.databaseUrl)
    for (let i = 0; i < 3; i++) await direct(owner, [owner], `lost ${i}`)
    await log.commit((change) => change.update('account', { id: owner.id, full_name: 'Lost name' }))
    const { queueId } = await listener(owner)
    const { position } = log.state
    await goBack()
    // This one has never seen what is lost.
    const other = await startNode(server.databaseUrl)
    const there = owner.at({ ...place, port: other.port })
    // When the first node notices, a new epoch begins, and a send that was under way is refused: clients send it again.
    for (let i = 0; i < 10; i++)
      await vi.waitFor(() => direct(there, [there], `new ${i}`), { timeout: 20_000 })
    expect((await numbers(org)).head.lastEventId).toBeGreaterThan(position)

    await vi.waitFor(() => expect(log.state.users.require(owner.id).full_name).toBe('Owner'), {
      timeout: 20_000,
    })
    expect(await poll(owner, queueId, position)).toMatchObject(ended)
    expect(log.state.position).toBe((await numbers(org)).head.lastEventId)
    await other.close()
  })
})

describe('an older copy is put back while no node runs', () => {
  test('and clients register anew, although the log has grown past what they know', async () => {
    const database = await newDatabase()
    const first = await startNode(database.url)
    const { owner } = await newOrganization(first, '')
    const { queueId, start } = await listener(owner)
    const { goBack } = await remember(database.url)
    for (let i = 0; i < 5; i++) await direct(owner, [owner], `lost ${i}`)
    const { events } = (await poll(owner, queueId, start)).body
    const late = await listener(owner)
    await first.close()
    await goBack()

    const second = await startNode(database.url, {}, () => Math.floor(Date.now() / 1000) + 60)
    const back = owner.at({ ...owner.place, port: second.port })
    // One client that is ahead shows it for all.
    const other = await listener(back)
    expect(await poll(back, queueId, events.at(-1).id)).toMatchObject(ended)
    for (let i = 0; i < 8; i++) await direct(back, [back], `new ${i}`)
    for (const gone of [queueId, late.queueId, other.queueId]) {
      expect(await poll(back, gone, events.at(-1).id)).toMatchObject(ended)
    }
    const { queueId: fresh, start: now } = await listener(back)
    expect(await poll(back, fresh, now)).toMatchObject({ body: { events: [] } })
    await second.close()
    await database.drop()
  })

  test('as another database, which is detected immediately', async () => {
    const [database, copy] = [await newDatabase(), await newDatabase()]
    const first = await startNode(database.url)
    const { owner } = await newOrganization(first, '')
    const { queueId, start } = await listener(owner)
    await direct(owner, [owner], 'in the copy')
    await first.close()
    await copy.become(database)
    const again = await startNode(database.url)
    const stayed = owner.at({ ...owner.place, port: again.port })
    expect((await poll(stayed, queueId, start)).body.events).toHaveLength(1)
    await again.close()
    const moved = await startNode(copy.url)
    expect(await poll(owner.at({ ...owner.place, port: moved.port }), queueId, start)).toMatchObject(ended)
    await moved.close()
    await database.drop()
    await copy.drop()
  })
})

describe('a client names what was never told', () => {
  test('by mistake, and can go on with what it was told', async () => {
    const org = await organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const [annas, bens] = [await listener(anna), await listener(ben)]
    expect(await poll(anna, annas.queueId, 1_000_000)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Event 1000000 was not in this queue' },
    })
    expect(await poll(anna, annas.queueId, annas.start)).toMatchObject({ body: { result: 'success' } })
    expect(await poll(ben, bens.queueId, bens.start)).toMatchObject({ body: { result: 'success' } })
  })

  test('and insists until there is an event of that number, which ends its queue', async () => {
    const { owner } = await organization()
    const { queueId, start } = await listener(owner)
    const ahead = start + 5
    for (let i = 0; i < 2; i++) expect(await poll(owner, queueId, ahead)).toMatchObject({ status: 400 })
    for (let i = 0; i < 8; i++) await direct(owner, [owner], `${i}`)
    expect(await poll(owner, queueId, ahead)).toMatchObject(ended)
    expect(await poll(owner, queueId, start)).toMatchObject(ended)
  })

  test('but soon is told it: the number is good then', async () => {
    const { owner } = await organization()
    const { queueId, start } = await listener(owner)
    expect(await poll(owner, queueId, start + 1)).toMatchObject({ status: 400 })
    for (let i = 0; i < 3; i++) await direct(owner, [owner], `${i}`)
    const { events } = (await poll(owner, queueId, start)).body
    expect(events).toHaveLength(3)
    expect(await poll(owner, queueId, start + 1)).toMatchObject({ body: { result: 'success' } })
    expect((await poll(owner, queueId, events[2].id)).body.events).toEqual([])
  })
})
