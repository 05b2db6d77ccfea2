import type { Bench, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { median, type Row, rowOf, type Slice } from '../measure.ts'
import { rawRequest } from '../raw-client.ts'
import { historySize as size } from '../seed.ts'

/** The second user is in all channels, and has not read the newest messages. */
const reader = 1
const marked = 5_000
const count = size.unread.toLocaleString('en')

/** The requests of a user who returns after weeks. */
export const unread: Scenario = {
  name: 'unread',
  title: `${count} unread messages of ${size.messages.toLocaleString('en')} in ${size.channels} channels`,
  size,

  async run(bench) {
    const { unread_msgs } = await answerTo(bench, registerRequest(bench))
    if (unread_msgs.count !== size.unread) throw new Error(`${unread_msgs.count} messages are unread`)
    const newest = idsFrom(size.messages - marked + 1)
    const oldest = idsFrom(size.messages - size.unread + 1)
    const found = {
      register: [] as Slice[],
      ids: [] as Slice[],
      narrow: [] as Slice[],
      unread: [] as Slice[],
    }
    for (let round = -2; round < bench.rounds; round++) {
      // The first rounds warm up.
      const take = (name: keyof typeof found, slice: Slice) => round >= 0 && found[name].push(slice)
      take('register', await timed(bench, registerRequest(bench, 'gzip')))
      take('ids', await timed(bench, flagsRequest(bench, 'add', newest)))
      take('narrow', await timed(bench, narrowRequest(bench)))
      take('unread', await timed(bench, flagsRequest(bench, 'remove', newest)))
      await timed(bench, flagsRequest(bench, 'remove', oldest))
    }
    const rest = await answerTo(bench, registerRequest(bench))
    if (rest.unread_msgs.count !== size.unread) throw new Error('the messages are not unread again')
    const p50 = (slices: Slice[]) => median(slices.flatMap((slice) => slice.latencies))
    return {
      rows: [
        rowOf('POST /register, gzip', found.register),
        rowOf('POST /messages/flags, to mark 5,000 read', found.ids),
        rowOf('POST /messages/flags/narrow, the same', found.narrow),
        rowOf('POST /messages/flags, to mark 5,000 unread', found.unread),
      ] satisfies Row[],
      findings: [
        { what: 'register', value: p50(found.register), unit: 'ms', budget: budgets.registerUnread },
        { what: 'to mark by ids', value: p50(found.ids), unit: 'ms', budget: budgets.markRead },
        { what: 'to mark by a narrow', value: p50(found.narrow), unit: 'ms', budget: budgets.markRead },
      ],
    }
  },
}

function idsFrom(first: number) {
  return Array.from({ length: marked }, (_, i) => first + i)
}

async function answerTo(bench: Bench, request: string) {
  return JSON.parse((await bench.ask(request)).body.toString())
}

function timed(bench: Bench, request: string): Promise<Slice> {
  return bench.withCpuTime(async () => {
    const start = performance.now()
    await bench.ask(request)
    const took = performance.now() - start
    return { count: 1, seconds: took / 1000, latencies: [took] }
  })
}

function registerRequest({ organization }: Bench, encoding = 'identity') {
  const headers = { authorization: organization.authorization(reader), 'accept-encoding': encoding }
  return rawRequest('POST', '/api/v1/register', headers, {
    slim_presence: 'true',
    client_capabilities: JSON.stringify({ notification_settings_null: true, empty_topic_name: true }),
  })
}

function flagsRequest({ organization }: Bench, op: 'add' | 'remove', ids: number[]) {
  const headers = { authorization: organization.authorization(reader) }
  const form = { messages: JSON.stringify(ids), op, flag: 'read' }
  return rawRequest('POST', '/api/v1/messages/flags', headers, form)
}

function narrowRequest({ organization }: Bench) {
  const headers = { authorization: organization.authorization(reader) }
  return rawRequest('POST', '/api/v1/messages/flags/narrow', headers, {
    anchor: 'oldest',
    num_before: '0',
    num_after: String(marked),
    narrow: JSON.stringify([{ operator: 'is', operand: 'unread' }]),
    op: 'add',
    flag: 'read',
  })
}
