import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { narrowParam } from '../../kernel/messages/narrow.ts'

/** This server uses no language model. It returns the error of a server without one. */
export const getMessagesSummary = query('GET /messages/summary', {
  summary: 'Summarize messages; always refused because the server has no language model',
  access: requireUser,
  params: { narrow: narrowParam().optional() },
  returns: { summary: z.string() },
  async handle() {
    throw badRequest('AI features are not enabled on this server.')
  },
})
