import { gunzipSync } from 'node:zlib'
import type { Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { alternate, ratioOf, rowOf } from '../measure.ts'
import { registration, zipped } from '../operations.ts'
import { answerOf, type RawResponse } from '../raw-client.ts'
import { size } from '../seed.ts'

/** Different people, so that caches must help others too. */
const people = 40

/** The request of a starting client: the whole state of the organization. */
export const register: Scenario = {
  name: 'register',
  title: `POST /register, ${size.users.toLocaleString('en')} users, ${size.channels.toLocaleString('en')} channels, gzip`,

  async run(bench) {
    const scriptOf = (first: number) =>
      Array.from({ length: people }, (_, i) => requestOf(bench.organization.authorization(first + i)))
    const script = scriptOf(100)
    const newcomers = scriptOf(size.users - size.newcomers)
    const sample = await bench.ask(script[0]!)
    const megabytes = checkAnswer(sample)
    const port = await bench.bareHttp.do('listen', null)
    await bench.bareHttp.do('answerWith', answerOf(sample))
    const run = (port: number, script: string[], seconds = bench.slice) =>
      bench.load.do('requests', { port, seconds, scripts: [script] })
    await run(bench.server.port, script, bench.warmUp)
    const found = await alternate(bench.rounds, {
      real: () => bench.withCpuTime(() => run(bench.server.port, script)),
      newcomers: () => bench.withCpuTime(() => run(bench.server.port, newcomers)),
      bare: () => bench.withCpuTime(() => run(port, script), bench.bareHttp),
    })
    const kilobytes = Math.round(sample.body.length / 1000)
    return {
      rows: [
        rowOf(`1 connection, ${megabytes.toFixed(1)} MB`, found.real),
        rowOf('1 connection, everything unread', found.newcomers),
        rowOf(`  bare node:http, ${kilobytes} KB compressed`, found.bare),
      ],
      findings: [
        {
          what: 'p50, of bare node:http',
          ...ratioOf('p50', found.real, found.bare),
          budget: budgets.registerOfBare,
        },
        {
          what: 'p50 of newcomers, of bare node:http',
          ...ratioOf('p50', found.newcomers, found.bare),
          budget: budgets.registerNewcomersOfBare,
        },
      ],
    }
  },
}

function requestOf(authorization: string) {
  return registration(zipped({ authorization }), {
    client_capabilities: JSON.stringify({
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_avatar_url_field_optional: true,
      stream_typing_notifications: true,
      user_settings_object: true,
      include_deactivated_groups: true,
      empty_topic_name: true,
    }),
  })
}

/** Returns the size before compression in megabytes. */
function checkAnswer({ head, body }: RawResponse): number {
  if (!/\r\ncontent-encoding: *gzip/i.test(head)) throw new Error('the answer is not compressed')
  const plain = gunzipSync(body)
  const { realm_users, queue_id } = JSON.parse(plain.toString())
  if (!queue_id || realm_users.length < size.users) throw new Error('the answer is not whole')
  return plain.length / 1e6
}
