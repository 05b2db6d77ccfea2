import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { strings } from '../../../http/params.ts'
import { botLimits } from '../kernel/bots/limits.ts'
import { readStorage } from '../kernel/bots/storage.ts'

export const getStorage = query('GET /bot_storage', {
  summary: "Get the bot's stored values, all or by key",
  access: requireUser,
  params: { keys: strings({ length: botLimits.botStorageKeyLength }).optional() },
  returns: { storage: z.record(z.string(), z.string()) },
  async handle({ realm, me, params, read }) {
    return { storage: await readStorage(read, realm.id, me.id, params.keys) }
  },
})
