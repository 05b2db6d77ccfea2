import { BareReader } from '../bare/unread.ts'
import type { BareWork } from '../bare/work.ts'
import type { Bench, Result, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { ratioOf, rowOf, type Slice } from '../measure.ts'
import { answerOf, rawRequest } from '../raw-client.ts'
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
    const barePort = await bareServer(bench, newest)
    const found: Found = {
      register: [],
      bareRegister: [],
      add: [],
      narrow: [],
      bareAdd: [],
      remove: [],
      bareRemove: [],
    }
    const [add, remove] = [flagsRequest(bench, 'add', newest), flagsRequest(bench, 'remove', newest)]
    for (let round = -2; round < bench.rounds; round++) {
      // The first rounds warm up.
      const take = (name: keyof Found, slice: Slice) => round >= 0 && found[name].push(slice)
      const bare = (request: string) => bench.timed(() => bench.ask(request, barePort), bench.bareHttp)
      take('register', await timed(bench, registerRequest(bench, 'gzip')))
      take('bareRegister', await bare(registerRequest(bench, 'gzip', paths.register)))
      take('add', await timed(bench, add))
      take('bareAdd', await bare(flagsRequest(bench, 'add', newest, paths.add)))
      take('remove', await timed(bench, remove))
      take('bareRemove', await bare(flagsRequest(bench, 'remove', newest, paths.remove)))
      take('narrow', await timed(bench, narrowRequest(bench)))
      await timed(bench, flagsRequest(bench, 'remove', oldest))
    }
    const rest = await answerTo(bench, registerRequest(bench))
    if (rest.unread_msgs.count !== size.unread) throw new Error('the messages are not unread again')
    return resultOf(found)
  },
}

type Found = Record<
  'register' | 'bareRegister' | 'add' | 'narrow' | 'bareAdd' | 'remove' | 'bareRemove',
  Slice[]
>

function resultOf({ register, bareRegister, add, narrow, bareAdd, remove, bareRemove }: Found): Result {
  const bare = 'of bare node:http and SQL'
  return {
    rows: [
      rowOf('POST /register, gzip', register),
      rowOf('  bare node:http that reads the unread ids', bareRegister),
      rowOf('POST /messages/flags, to mark 5,000 read', add),
      rowOf('POST /messages/flags/narrow, the same', narrow),
      rowOf('  bare node:http that marks as many', bareAdd),
      rowOf('POST /messages/flags, to mark 5,000 unread', remove),
      rowOf('  bare node:http that marks as many unread', bareRemove),
    ],
    findings: [
      {
        what: `register, ${bare}`,
        ...ratioOf('p50', register, bareRegister),
        budget: budgets.registerUnreadOfBare,
      },
      { what: `to mark by ids, ${bare}`, ...ratioOf('p50', add, bareAdd), budget: budgets.markOfBare },
      {
        what: `to mark by a narrow, ${bare}`,
        ...ratioOf('p50', narrow, bareAdd),
        budget: budgets.markNarrowOfBare,
      },
      {
        what: `to mark as unread, ${bare}`,
        ...ratioOf('p50', remove, bareRemove),
        budget: budgets.markUnreadOfBare,
      },
    ],
  }
}

const paths = { register: '/register', add: '/add', remove: '/remove' }

/** Answers with the bytes that ours answers, after the least of the same work. */
async function bareServer(bench: Bench, newest: number[]): Promise<number> {
  const bare = await BareReader.open(bench, reader)
  const works = new Map<string, BareWork>()
  const registered = answerOf(await bench.ask(registerRequest(bench, 'gzip')))
  works.set(paths.register, bare.readsAfter(size.messages - size.unread, registered))
  for (const op of ['add', 'remove'] as const) {
    const marked = answerOf(await bench.ask(flagsRequest(bench, op, newest)))
    works.set(paths[op], await bare.marks(op, newest, marked))
  }
  await bare.close()
  await bench.bareHttp.do('workWhenAsked', { url: bench.databaseUrl, works })
  return bench.bareHttp.do('listen', null)
}

function idsFrom(first: number) {
  return Array.from({ length: marked }, (_, i) => first + i)
}

async function answerTo(bench: Bench, request: string) {
  return JSON.parse((await bench.ask(request)).body.toString())
}

function timed(bench: Bench, request: string): Promise<Slice> {
  return bench.timed(() => bench.ask(request))
}

function registerRequest({ organization }: Bench, encoding = 'identity', path = '/api/v1/register') {
  const headers = { authorization: organization.authorization(reader), 'accept-encoding': encoding }
  return rawRequest('POST', path, headers, {
    slim_presence: 'true',
    client_capabilities: JSON.stringify({ notification_settings_null: true, empty_topic_name: true }),
  })
}

function flagsRequest(
  { organization }: Bench,
  op: 'add' | 'remove',
  ids: number[],
  path = '/api/v1/messages/flags',
) {
  const headers = { authorization: organization.authorization(reader) }
  const form = { messages: JSON.stringify(ids), op, flag: 'read' }
  return rawRequest('POST', path, headers, form)
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
