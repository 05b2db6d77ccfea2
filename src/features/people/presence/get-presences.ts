import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { JsonAnswer } from '../../../http/responses/answer-kinds.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { presences } from '../kernel/presence/presence-view.ts'

export const getPresences = query('GET /realm/presence', {
  summary: "List users' presence",
  access: requireUser,
  params: {},
  returns: { presences: z.record(z.string(), z.looseObject({})), server_timestamp: z.number() },
  async handle({ realm, me, site }) {
    const server_timestamp = site.clock()
    if (realmSettings(realm).presence_disabled) return { presences: {}, server_timestamp }
    const { chunks } = presences(realm, site, me, { slim: false })
    return new JsonAnswer('"presences":', ...chunks, `,"server_timestamp":${server_timestamp}`)
  },
})
