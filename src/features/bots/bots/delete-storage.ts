import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { strings } from '../../../http/params.ts'
import { limits } from '../../../lib/limits.ts'
import { clearStorage } from '../kernel/bots/storage.ts'

export const deleteStorage = command('DELETE /bot_storage', {
  summary: "Delete the bot's stored values, all or by key",
  access: requireUser,
  params: { keys: strings({ length: limits.botStorageKeyLength }).optional() },
  returns: {},
  async handle({ me, params, commit }) {
    await commit((change) => clearStorage(change, me.id, params.keys))
    return {}
  },
})
