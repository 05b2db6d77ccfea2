import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { exportSchema, exportView, realmExportsQuery } from './exports.ts'

export const getRealmExports = query('GET /export/realm', {
  summary: "List the organization's data exports",
  access: requireAdministrator,
  params: {},
  returns: { exports: z.array(exportSchema) },
  async handle({ realm, read, site }) {
    const rows = await read.rows(realmExportsQuery(realm.id))
    return { exports: rows.map((row) => exportView(realm, site, row)) }
  },
})
