import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { consents } from './scope.ts'

export const getExportConsents = query('GET /export/realm/consents', {
  summary: 'List which users allow administrators to export their private data',
  since: 295,
  access: requireAdministrator,
  params: {},
  returns: { export_consents: z.array(z.object({ user_id: z.int(), consented: z.boolean() })) },
  async handle({ realm }) {
    const people = [...realm.users.values()].filter((user) => user.is_active && user.bot_type === null)
    return { export_consents: people.map((user) => ({ user_id: user.id, consented: consents(user) })) }
  },
})
