import { z } from 'zod'
import { requireHuman } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { ownExportSchema, ownExportsQuery, ownExportView } from './own-exports.ts'

export const getOwnExports = query('GET /rookery/own_exports', {
  summary: "List the exports of the caller's own data, each kept for a week",
  access: requireHuman,
  params: {},
  returns: { exports: z.array(ownExportSchema) },
  async handle({ realm, me, read, site }) {
    const rows = await read.rows(ownExportsQuery(realm.id, me.id))
    return { exports: rows.map((row) => ownExportView(realm, site, row)) }
  },
})
