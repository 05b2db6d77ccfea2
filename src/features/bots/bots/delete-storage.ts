import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { strings } from '../../../http/params.ts'
import { inSteps } from '../../../log/steps.ts'
import { botLimits } from '../kernel/bots/limits.ts'
import { deleteStored, storedKeys } from '../kernel/bots/storage.ts'

export const deleteStorage = command('DELETE /bot_storage', {
  summary: "Delete the bot's stored values, all or by key",
  access: requireUser,
  params: { keys: strings({ length: botLimits.botStorageKeyLength }).optional() },
  returns: {},
  async handle({ realm, me, params, read, commit }) {
    const keys = await storedKeys(read, realm.id, me.id, params.keys)
    await inSteps(commit, keys, botLimits.botStorageStep, (change, part) => deleteStored(change, me.id, part))
    return {}
  },
})
