import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { presenceLimits } from '../kernel/presence/limits.ts'
import { legacyPresence } from '../kernel/presence/presence-view.ts'
import { userByEmail, userById } from '../kernel/users/access.ts'

const presence = z.object({ status: z.string(), timestamp: z.int() })

export const getUserPresence = query('GET /users/{user_id_or_email}/presence', {
  summary: "Get a user's presence",
  access: requireUser,
  params: { user_id_or_email: pathText() },
  returns: { presence: z.object({ aggregated: presence, website: presence }) },
  async handle({ realm, me, site, params }) {
    const name = params.user_id_or_email
    const isId = /^\d{1,9}$/.test(name)
    const whose = isId ? userById(realm, me, Number(name)) : userByEmail(realm, site, me, name)
    if (whose.bot_type !== null) throw badRequest('Presence is not supported for bot users.')
    const seen = realm.presence.of(whose.id)
    if (!seen || !whose.is_active) throw badRequest(`No presence data for ${name}`)
    const { status, timestamp } = legacyPresence(seen)
    const isOffline = Math.abs(site.clock() - timestamp) > presenceLimits.presenceOfflineSeconds
    const aggregated = { status: isOffline ? 'offline' : status, timestamp }
    return { presence: { aggregated, website: { status, timestamp } } }
  },
})
