import { connectToNats } from '../../adapters/nats.ts'
import type { Config } from '../../config/config.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Finding } from './checks.ts'

/** Checks whether nodes can notify each other through each of the servers, if NATS is configured. */
export async function* checkNats({ natsUrl }: Config): AsyncGenerator<Finding> {
  for (const url of natsUrl?.split(',') ?? []) {
    try {
      const nats = await connectToNats(url, { name: 'rookery.doctor', hear: () => {} })
      nats.end()
      yield { level: 'ok', what: `NATS at ${new URL(url).host} lets nodes wake each other` }
    } catch (error) {
      const advice =
        'See that it runs there, and that NATS_URL is right. Until then nodes hear of changes two seconds late.'
      yield { level: 'FAIL', what: messageOf(error), advice }
    }
  }
}
