import { z } from 'zod'
import { readSelection } from '../../../db/selection.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { snippetSchema, snippetsOf } from './snippets.ts'

export const getSnippets = query('GET /saved_snippets', {
  summary: "List the caller's saved snippets",
  since: 297,
  access: requireUser,
  params: {},
  returns: { saved_snippets: z.array(snippetSchema) },
  async handle({ realm, me, read }) {
    return { saved_snippets: await readSelection(read, snippetsOf(realm, me)) }
  },
})
