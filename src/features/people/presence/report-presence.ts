import { z } from 'zod'
import { requireHuman } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, integer, text } from '../../../http/params.ts'
import { JsonAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { presences } from '../kernel/presence/presence-view.ts'
import { recordPresence as note } from '../kernel/presence/record-presence.ts'

export const reportPresence = command('POST /users/me/presence', {
  summary: "Report the caller's presence and get the presence of others",
  batched: true,
  access: requireHuman,
  params: {
    last_update_id: integer().optional(), // level 263
    history_limit_days: integer().optional(), // level 288
    new_user_input: boolean().default(false),
    ping_only: boolean().default(false),
    slim_presence: boolean().default(false),
    status: text().documentedAs({ enum: ['active', 'idle'] }),
  },
  returns: {
    presences: z.record(z.string(), z.looseObject({})).optional(),
    presence_last_update_id: z.int().optional(),
    server_timestamp: z.number().optional(),
  },
  async handle(context) {
    const { realm, me, site, params } = context
    const { status, last_update_id: since, history_limit_days: days } = params
    if (status !== 'active' && status !== 'idle') throw badRequest(`Invalid status: ${status}`)
    await note(context, status === 'active')
    if (params.ping_only) return {}
    if (realmSettings(realm).presence_disabled) {
      return { presences: {}, presence_last_update_id: since ?? -1, server_timestamp: site.clock() }
    }
    const slim = params.slim_presence || since !== undefined
    const { chunks, lastUpdateId } = presences(realm, site, me, { slim, since, days })
    const rest = { presence_last_update_id: lastUpdateId, server_timestamp: site.clock() }
    return new JsonAnswer('"presences":', ...chunks, `,${JSON.stringify(rest).slice(1, -1)}`)
  },
})
