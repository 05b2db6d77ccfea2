import { z } from 'zod'
import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { serverKeyOrNew } from './server-key.ts'

/** Creates the key on the first request. */
export const getPushSubscriptions = command('GET /rookery/push_subscriptions', {
  summary: "List the caller's Web Push subscriptions and get the server's public key",
  access: requireHuman,
  params: {},
  returns: {
    public_key: z.string(),
    subscriptions: z.array(z.object({ endpoint: z.string(), date_created: z.int() })),
  },
  async handle({ realm, me, read, commit }) {
    const { public_key } = await serverKeyOrNew(read, realm, commit)
    const browsers = [...realm.pushDevicesOfUser(me.id)].filter(({ kind }) => kind === 'browser')
    return {
      public_key,
      subscriptions: browsers.map(({ address, created_at }) => ({
        endpoint: address,
        date_created: created_at,
      })),
    }
  },
})
