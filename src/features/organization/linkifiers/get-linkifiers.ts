import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { linkifierSchema, linkifiersOf } from '../../kernel/linkifiers/linkifiers.ts'

export const getLinkifiers = query('GET /realm/linkifiers', {
  summary: 'List linkifiers',
  since: 54,
  access: requireUser,
  params: {},
  returns: { linkifiers: z.array(linkifierSchema) },
  async handle({ realm }) {
    return { linkifiers: linkifiersOf(realm) }
  },
})
