import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { dictionary } from '../../../http/collections.ts'
import { command } from '../../../http/endpoint.ts'
import { json } from '../../../http/params.ts'
import { inSteps } from '../../../log/steps.ts'
import { botLimits } from '../kernel/bots/limits.ts'
import { checkRoom, writeStorage } from '../kernel/bots/storage.ts'

export const putStorage = command('PUT /bot_storage', {
  summary: 'Store values by key, private to the calling bot',
  access: requireUser,
  params: {
    storage: json(
      dictionary(z.string(), { max: botLimits.botStorageKeys, keyLength: botLimits.botStorageKeyLength }),
    ),
  },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    await checkRoom(read, realm.id, me.id, params.storage)
    await inSteps(commit, Object.entries(params.storage), botLimits.botStorageStep, async (change, part) => {
      await writeStorage(change, me.id, Object.fromEntries(part))
      return {}
    })
    return {}
  },
})
