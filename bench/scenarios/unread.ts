import pg from 'pg'
import type { Bench, Result, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { ratioOf, rowOf, type Slice } from '../measure.ts'
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
    const bare = await BareReader.open(bench)
    const found: Found = { register: [], bareRead: [], ids: [], narrow: [], unread: [], bareMark: [] }
    for (let round = -2; round < bench.rounds; round++) {
      // The first rounds warm up.
      const take = (name: keyof Found, slice: Slice) => round >= 0 && found[name].push(slice)
      take('register', await timed(bench, registerRequest(bench, 'gzip')))
      take('bareRead', await bench.timed(() => bare.read(), process))
      take('ids', await timed(bench, flagsRequest(bench, 'add', newest)))
      take('bareMark', await bench.timed(() => bare.mark(newest), process))
      take('narrow', await timed(bench, narrowRequest(bench)))
      take('unread', await timed(bench, flagsRequest(bench, 'remove', newest)))
      await timed(bench, flagsRequest(bench, 'remove', oldest))
    }
    await bare.close()
    const rest = await answerTo(bench, registerRequest(bench))
    if (rest.unread_msgs.count !== size.unread) throw new Error('the messages are not unread again')
    return resultOf(found)
  },
}

type Found = Record<'register' | 'bareRead' | 'ids' | 'narrow' | 'unread' | 'bareMark', Slice[]>

function resultOf({ register, bareRead, ids, narrow, unread, bareMark }: Found): Result {
  const toRegister = ratioOf('p50', register, bareRead)
  const [byIds, byNarrow, toUnread] = [ids, narrow, unread].map((real) => ratioOf('p50', real, bareMark))
  return {
    rows: [
      rowOf('POST /register, gzip', register),
      rowOf('  a bare query for the unread ids', bareRead),
      rowOf('POST /messages/flags, to mark 5,000 read', ids),
      rowOf('POST /messages/flags/narrow, the same', narrow),
      rowOf('POST /messages/flags, to mark 5,000 unread', unread),
      rowOf('  a bare statement that marks them', bareMark),
    ],
    findings: [
      { what: 'register, of a bare query', ...toRegister, budget: budgets.registerUnreadOfBare },
      { what: 'to mark by ids, of a bare statement', ...byIds!, budget: budgets.markOfBare },
      { what: 'to mark by a narrow, of a bare statement', ...byNarrow!, budget: budgets.markNarrowOfBare },
      { what: 'to mark as unread, of a bare statement', ...toUnread!, budget: budgets.markUnreadOfBare },
    ],
  }
}

/** The least that these requests cost: statements that read the same rows, and write as many. */
class BareReader {
  private readonly client: pg.Client
  private readonly realmId: number

  private constructor(client: pg.Client, realmId: number) {
    this.client = client
    this.realmId = realmId
  }

  static async open({ databaseUrl, organization }: Bench): Promise<BareReader> {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('CREATE TABLE bare_read (LIKE read_state INCLUDING ALL)')
    return new BareReader(client, organization.realmId)
  }

  /** All unread messages by topic, as one text. */
  read() {
    return this.client.query(
      `SELECT json_agg(x)::text FROM (SELECT recipient_id, topic, array_agg(id) AS ids FROM message
        WHERE realm_id = $1 AND id > $2 GROUP BY recipient_id, topic) AS x`,
      [this.realmId, size.messages - size.unread],
    )
  }

  /** The ranges of what was read, for each conversation. */
  mark(ids: number[]) {
    return this.client.query(
      `INSERT INTO bare_read (realm_id, user_id, recipient_id, read)
       SELECT realm_id, 1, recipient_id, range_agg(int8range(id, id + 1)) FROM message
       WHERE realm_id = $1 AND id = ANY($2::bigint[]) GROUP BY realm_id, recipient_id
       ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = bare_read.read + excluded.read`,
      [this.realmId, ids],
    )
  }

  close() {
    return this.client.end()
  }
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
