import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Wire } from '../../test/client.ts'
import { EventStream } from '../../test/event-stream.ts'
import { holdSteps, until } from '../../test/hold-steps.ts'
import { direct, sender } from '../../test/messages.ts'
import type { Organization } from '../../test/organization.ts'
import { Caller, type Person } from '../../test/person.ts'
import { testServer } from '../../test/test-server.ts'
import { lastIn } from '../lib/must.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { queueLimits } from './limits.ts'
import type { ShapedEvent } from './queue.ts'

// A message is offered to a thousand waiting clients immediately, and to others in later steps.

const token = 'of the monitor'
const server = testServer({ monitoring: { metrics: await createMetrics(), token } })

/** Registers a client for messages and alert words. Returns its queue, and the last event that it knows. */
async function queueOf(person: Person) {
  const { queueId, state } = await person.register({ event_types: ['message', 'alert_words'] })
  return { queueId, lastEventId: state.last_event_id as number }
}

/** A stream of a person's events that is up to date. */
async function stream(person: Person, queue?: Awaited<ReturnType<typeof queueOf>>) {
  const { queueId, lastEventId } = queue ?? (await queueOf(person))
  const stream = new EventStream(person, queueId, { lastEventId })
  await until(() => stream.text.includes(': up to date'))
  return stream
}

/** A poll that waits. */
async function poll(person: Person, queue?: Awaited<ReturnType<typeof queueOf>>) {
  const { queueId, lastEventId } = queue ?? (await queueOf(person))
  const { polls } = server.node.app.queues.open
  const ask = (last: number) => person.get('/events', { queue_id: queueId, last_event_id: last })
  const poll = { events: [] as Wire[], isOver: false, queueId, ask }
  void ask(lastEventId).then(({ body }) => Object.assign(poll, { events: body.events, isOver: true }))
  await until(() => server.node.app.queues.open.polls === polls + 1)
  return poll
}

const read = (events: ShapedEvent[]): Wire[] => events.map(({ json }) => JSON.parse(json))

/** Lets clients of a person wait. Returns what each of them hears. */
async function crowdOf(person: Person, org: Organization, count: number): Promise<ShapedEvent[][]> {
  const queues = server.node.app.queues.of(org.log)
  const queue = await queues.find(person.id, (await queueOf(person)).queueId)
  return Array.from({ length: count }, () => {
    const heard: ShapedEvent[] = []
    const wake = (events: ShapedEvent[] = []) => void heard.push(...events)
    queues.delivery.attach({ queue, isStream: true, isAllowed: () => true, wake, end() {}, giveWay() {} })
    return heard
  })
}

/** Lets as many clients of a person wait as are offered messages immediately. Returns what the last of them hears. */
async function fill(org: Organization, person: Person): Promise<ShapedEvent[]> {
  return lastIn(await crowdOf(person, org, queueLimits.clientsInFirstStep))
}

const contents = (events: Wire[]) => events.flatMap(({ message }) => message?.content ?? [])
const html = (...texts: string[]) => texts.map((text) => `<p>${text}</p>`)

/** What a client that does not wait gets now. */
async function asked(person: Person, { queueId, lastEventId }: Awaited<ReturnType<typeof queueOf>>) {
  const { body } = await person.get('/events', {
    queue_id: queueId,
    last_event_id: lastEventId,
    dont_block: true,
  })
  return body.events as Wire[]
}

/** An organization in which Anna has a thousand clients, and two more behind them: a stream and a poll. */
async function crowd() {
  const org = await server.organization()
  const anna = await org.person({ name: 'Anna' })
  const first = await fill(org, anna)
  return { org, anna, first, stream: await stream(anna), poll: await poll(anna) }
}

test('a message to many clients holds up others until a thousand have it', async () => {
  const org = await server.organization()
  const people = await Promise.all([1, 2, 3].map(() => org.person()))
  const streams: EventStream[] = []
  // A user may have 500 queues. On a busy machine, the first get heartbeats before the last are open; `contents` leaves them out.
  for (let i = 0; i < 360; i++) streams.push(...(await Promise.all(people.map((person) => stream(person)))))
  const heard = (count: number) => streams.filter(({ events }) => contents(events).length >= count).length
  await direct(people[0]!, people, 'hello')
  expect(heard(1)).toBeLessThanOrEqual(queueLimits.clientsInFirstStep)
  await until(() => heard(1) === streams.length)
  await direct(people[0]!, people, 'again')
  await until(() => heard(2) === streams.length)
  for (const { events } of streams) expect(contents(events)).toEqual(html('hello', 'again'))
  const queues = server.node.app.queues.of(org.log)
  queues.close()
  expect(queues.open.eventStreams).toBe(streams.length - queueLimits.clientsInFirstStep)
  await until(() => streams.every(({ isOver }) => isOver))
})

test('very many events that are written together come in later steps, to each client once and in order', async () => {
  const org = await server.organization()
  const anna = await org.person()
  const heard = await crowdOf(anna, org, 400)
  const [listener, waiting] = [await stream(anna), await poll(anna)]
  const step = holdSteps()
  const words = Array.from({ length: 30 }, (_, i) => [`word ${i}`])
  await org.log.commit(async (change) => {
    for (const alert_words of words) change.emit({ type: 'alert_words', alert_words }, { users: [anna.id] })
  })
  expect(heard.flat()).toEqual([])
  step()
  await until(() => waiting.isOver && listener.events.length === words.length)
  for (const events of [listener.events, waiting.events, ...heard.map(read)])
    expect(events.map(({ alert_words }) => alert_words)).toEqual(words)
})

test('a large message holds up others until as many clients have it as its size allows', async () => {
  const org = await server.organization()
  const anna = await org.person()
  const heard = await crowdOf(anna, org, queueLimits.clientsInFirstStep)
  const step = holdSteps()
  // Four times as long in HTML.
  await direct(anna, [anna], '<'.repeat(9_000))
  const bytes = () => heard.flat().reduce((sum, { json }) => sum + json.length, 0)
  expect(bytes()).toBeGreaterThan(0)
  expect(bytes()).toBeLessThan(1.1 * queueLimits.eventBytesInFirstStep)
  step()
  expect(heard.every(({ length }) => length === 1)).toBe(true)
})

test('a client whose turn comes later gets everything once and in order, also what came before its turn', async () => {
  const { anna, first, stream, poll } = await crowd()
  const step = holdSteps()
  for (const text of ['one', 'two']) await direct(anna, [anna], text)
  expect(first).toHaveLength(2)
  expect([stream.events, poll.events]).toEqual([[], []])
  step()
  await until(() => poll.isOver && stream.events.length === 2)
  expect(contents(poll.events)).toEqual(html('one', 'two'))
  await direct(anna, [anna], 'three')
  step()
  await until(() => stream.events.length === 3)
  expect(contents(stream.events)).toEqual(html('one', 'two', 'three'))
})

test('a client that leaves before its turn gets later what it has missed', async () => {
  const { anna, stream: left, poll: ended, org } = await crowd()
  const queue = await queueOf(anna)
  const before = await stream(anna, queue)
  const last = await stream(anna)
  const step = holdSteps()
  await direct(anna, [anna], 'one')
  await Promise.all([left.close(), before.close()])
  await anna.delete('/events', { queue_id: ended.queueId })
  await until(() => ended.isOver)
  expect(ended.events).toMatchObject([{ type: 'heartbeat' }])
  await until(() => server.node.app.queues.of(org.log).open.eventStreams === 1)
  step()
  await until(() => last.events.length === 1)
  const back = await stream(anna, queue)
  expect(contents(back.events)).toEqual(html('one'))
})

test('the heartbeat of a client whose turn has not come acknowledges nothing that it has not got', async () => {
  const { anna, poll: first, org } = await crowd()
  const step = holdSteps()
  await direct(anna, [anna], 'one')
  server.node.app.queues.of(org.log).close()
  await until(() => first.isOver)
  expect(first.events).toMatchObject([{ type: 'heartbeat' }])
  step()
  const { body } = await first.ask(first.events[0]!.id)
  expect(contents(body.events)).toEqual(html('one'))
})

test('a client that is displaced before its turn acknowledges nothing either', async () => {
  const { anna, poll: first } = await crowd()
  const { polls } = server.node.app.queues.open
  const step = holdSteps()
  await direct(anna, [anna], 'one')
  const { body } = await first.ask(-1)
  expect(contents(body.events)).toEqual(html('one'))
  const { id } = body.events[0]
  const later = first.ask(id)
  await until(() => server.node.app.queues.open.polls === polls + 1)
  step()
  await until(() => first.isOver)
  expect(first.events).toMatchObject([{ type: 'heartbeat' }])
  expect(first.events[0]!.id).toBeLessThan(id)
  await direct(anna, [anna], 'two')
  step()
  expect(contents((await later).body.events)).toEqual(html('two'))
})

test.skipIf(process.env.LONG_POLLS !== '1')(
  'nor does that of a stream',
  async () => {
    const { anna, stream } = await crowd()
    const step = holdSteps()
    await direct(anna, [anna], 'one')
    await sleep(queueLimits.longPollSeconds * 1000 + 1_000)
    step()
    await until(() => stream.events.length === 2)
    expect(stream.events).toMatchObject([{ type: 'heartbeat' }, { type: 'message' }])
    expect(stream.events[0]!.id).toBeLessThan(stream.events[1]!.id)
  },
  70_000,
)

test('a message that is edited before the turn of a client comes as to one that asks then', async () => {
  const { anna, stream, poll } = await crowd()
  const queue = await queueOf(anna)
  const step = holdSteps()
  const id = await direct(anna, [anna], 'one')
  await anna.patch(`/messages/${id}`, { content: 'two' })
  step()
  await until(() => poll.isOver && stream.events.length > 0)
  const events = await asked(anna, queue)
  expect(poll.events).toEqual(events)
  expect(stream.events).toEqual(events)
})

test('a message that is deleted before the turn of a client does not come', async () => {
  const { anna, stream, poll } = await crowd()
  const step = holdSteps()
  const id = await direct(anna, [anna], 'one')
  expect((await anna.delete(`/messages/${id}`)).body).toMatchObject({ result: 'success' })
  await direct(anna, [anna], 'two')
  step()
  await until(() => poll.isOver && stream.events.length > 0)
  for (const { events } of [poll, stream]) expect(contents(events)).toEqual(html('two'))
})

test('a user who may no longer read a channel when the turn of their clients comes does not get its message', async () => {
  const org = await server.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [anna, ben], isPrivate: true })
  const first = await fill(org, ben)
  const [late, waiting] = [await stream(ben), await poll(ben)]
  const step = holdSteps()
  await sender(anna, channel)('a topic', 'one')
  expect(first).toHaveLength(1)
  await ben.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await direct(anna, [anna, ben], 'two')
  step()
  await until(() => waiting.isOver && late.events.length > 0)
  for (const { events } of [waiting, late]) expect(contents(events)).toEqual(html('two'))
})

test('clients that collect their events anew before their turn get nothing twice', async () => {
  const { anna, org, stream, poll } = await crowd()
  const step = holdSteps()
  await direct(anna, [anna], 'one')
  server.node.app.queues.of(org.log).reload()
  step()
  await until(() => poll.isOver && stream.events.length > 0)
  await direct(anna, [anna], 'two')
  step()
  await until(() => stream.events.length > 1)
  expect(contents(poll.events)).toEqual(html('one'))
  expect(contents(stream.events)).toEqual(html('one', 'two'))
})

test('clients for which very much has come before their turn get it in responses as large as others', async () => {
  const { anna, stream, poll } = await crowd()
  const step = holdSteps()
  const content = '<'.repeat(9_000)
  const sent: number[] = []
  for (let i = 0; i < 80; i++) sent.push(await direct(anna, [anna], content))
  step()
  await until(() => poll.isOver && stream.events.length === sent.length)
  expect(JSON.stringify(poll.events).length).toBeLessThan(1.1 * queueLimits.eventBytesPerAnswer)
  expect(poll.events.length).toBeLessThan(sent.length)
  const { body } = await poll.ask(poll.events.at(-1)!.id)
  const ids = (events: Wire[]) => events.map(({ message }) => message.id)
  expect(ids([...poll.events, ...body.events])).toEqual(sent)
  expect(ids(stream.events)).toEqual(sent)
})

test('monitors learn how long a delivery took when the last client has had its turn', async () => {
  const deliveries = async () => {
    const monitor = new Caller({ port: server.node.port, host: 'by.address' })
    const headers = { authorization: `Bearer ${token}` }
    const { text } = await monitor.raw({ method: 'GET', path: '/metrics', headers })
    return Number(/^rookery_delivery_duration_seconds_count (\d+)/m.exec(text)?.[1])
  }
  const { anna, poll } = await crowd()
  const before = await deliveries()
  const step = holdSteps()
  await direct(anna, [anna], 'one')
  expect(await deliveries()).toBe(before)
  step()
  await until(() => poll.isOver)
  vi.useRealTimers()
  await expect.poll(deliveries).toBe(before + 1)
})
