import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Bench, Result, Scenario } from '../bench.ts'
import { budgets, type Finding } from '../budgets.ts'
import { alternate, ratioOf, rowOf, type Slice } from '../measure.ts'
import { rawRequest, serial } from '../raw-client.ts'
import { size } from '../seed.ts'
import { texts } from '../texts.ts'

const few = size.smallChannel.toLocaleString('en')
const many = size.users.toLocaleString('en')

/** Durable sends to a channel without connected clients. */
export const send: Scenario = {
  name: 'send',
  title: 'POST /messages to a channel, nobody connected, fsync on',

  async run(bench) {
    const before = await messageCount(bench)
    const barePort = await bareServer(bench)
    const sends = new Sends(bench)
    await sends.during(bench.warmUp, scriptsOf(bench, { channel: bench.organization.small, connections: 64 }))
    const results: Result[] = []
    for (const connections of [1, 16, 64]) results.push(await measure(bench, sends, barePort, connections))
    const stored = (await messageCount(bench)) - before
    if (stored !== sends.count)
      throw new Error(`${sends.count} sends were answered, but ${stored} are stored`)
    return {
      rows: results.flatMap(({ rows }) => rows),
      findings: results.flatMap(({ findings }) => findings),
    }
  },
}

async function measure(bench: Bench, sends: Sends, barePort: number, connections: number): Promise<Result> {
  const { small, large } = bench.organization
  const toFew = scriptsOf(bench, { channel: small, connections })
  const toMany = scriptsOf(bench, { channel: large, connections })
  const repeatable = scriptsOf(bench, { channel: small, connections, repeatable: true })
  const { slice: seconds, load, databaseUrl: url } = bench
  const found = await alternate(bench.rounds, {
    few: () => sends.during(seconds, toFew),
    many: () => sends.during(seconds, toMany),
    repeatable: () => sends.during(seconds, repeatable),
    http: () =>
      bench.withCpuTime(
        () => load.do('requests', { port: barePort, seconds, scripts: toFew }),
        bench.bareHttp,
      ),
    inserts: () => bench.withCpuTime(() => load.do('inserts', { url, seconds, group: connections }), load),
  })
  const name = `${connections} ${connections === 1 ? 'connection' : 'connections'}`
  return {
    rows: [
      rowOf(`${name}, ${few} subscribers`, found.few),
      rowOf(`${name}, ${many} subscribers`, found.many),
      rowOf(`${name}, with queue_id and local_id`, found.repeatable),
      rowOf(`  bare node:http, ${name}, inserts in groups`, found.http),
      rowOf(`  bare inserts, groups of ${connections}`, found.inserts),
    ],
    findings: findingsOf(name, connections, found),
  }
}

type Found = Record<'few' | 'many' | 'http' | 'inserts', Slice[]>

function findingsOf(name: string, connections: number, { few: toFew, many: toMany, http, inserts }: Found) {
  const findings: Finding[] = [
    {
      what: 'rate, of bare node:http, inserts in groups',
      ...ratioOf('rate', toFew, http),
      ...(connections === 64 && { budget: budgets.sendOfBare }),
      ...(connections === 1 && { budget: budgets.sendAloneOfBare }),
    },
    { what: 'of bare inserts', ...ratioOf('rate', toFew, inserts) },
    {
      what: `cost for ${many} : ${few} subscribers`,
      ...ratioOf('rate', toFew, toMany),
      ...(connections === 64 && { budget: budgets.sendToManyCost }),
    },
  ]
  return findings.map(({ what, ...finding }) => ({ what: `${name}, ${what}`, ...finding }))
}

/** Sends, and how many were answered. */
class Sends {
  count = 0
  private readonly bench: Bench

  constructor(bench: Bench) {
    this.bench = bench
  }

  async during(seconds: number, scripts: string[][]) {
    const { load, server } = this.bench
    const slice = await this.bench.withCpuTime(() =>
      load.do('requests', { port: server.port, seconds, scripts }),
    )
    this.count += slice.count
    return slice
  }
}

/**
 * One sender per connection; the small channel's own people send to both channels. `repeatable`: as clients send that
 * show a message before the server has it, under a key by which a second try would be recognized.
 */
function scriptsOf(bench: Bench, plan: { channel: number; connections: number; repeatable?: boolean }) {
  return Array.from({ length: plan.connections }, (_, i) => {
    const headers = { authorization: bench.organization.authorization(i % size.smallChannel) }
    const key = plan.repeatable && { queue_id: randomUUID(), local_id: serial }
    const to = { type: 'channel', to: String(plan.channel) }
    return texts.map((content, k) =>
      rawRequest('POST', '/api/v1/messages', headers, {
        ...to,
        topic: `topic ${(i + k) % 40}`,
        content,
        ...key,
      }),
    )
  })
}

/** The minimum for a server of this shape: node:http, and the rows of all waiting requests in one insert. */
async function bareServer(bench: Bench): Promise<number> {
  const port = await bench.bareHttp.do('listen', null)
  const body = Buffer.from('{"result":"success","msg":"","id":123456}\n')
  await bench.bareHttp.do('answerWith', { body, headers: { 'content-type': 'application/json' } })
  await bench.bareHttp.do('insertWhatIsPosted', { url: bench.databaseUrl })
  return port
}

async function messageCount(bench: Bench): Promise<number> {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  const { rows } = await client.query('SELECT count(*)::integer AS count FROM message')
  await client.end()
  return rows[0].count
}
