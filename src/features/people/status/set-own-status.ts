import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean } from '../../../http/params.ts'
import { changeSettings } from '../kernel/users/change-settings.ts'
import { setStatus, statusParams, statusParts } from './status.ts'

export const setOwnStatus = command('POST /users/me/status', {
  summary: "Set the current user's status",
  access: requireHuman,
  params: {
    status_text: statusParams.status_text,
    away: boolean().optional(), // until level 148
    emoji_name: statusParams.emoji_name,
    emoji_code: statusParams.emoji_code,
    reaction_type: statusParams.reaction_type,
  },
  returns: {},
  async handle({ realm, me, site, params, commit }) {
    const parts = statusParts(realm, params)
    await commit(async (change) => {
      if (parts.away !== undefined) {
        await changeSettings(change, site, me.id, { presence_enabled: !parts.away })
      }
      await setStatus(change, me.id, parts)
    })
    return {}
  },
})
