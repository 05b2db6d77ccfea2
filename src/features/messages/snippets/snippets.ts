import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, SavedSnippetRow } from '../../../db/schema.ts'
import { type Selection, selection } from '../../../db/selection.ts'
import { text } from '../../../http/params.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { snippetLimits } from './limits.ts'

export const snippetParams = {
  title: text({ trim: true, notBlank: true, max: snippetLimits.savedSnippetTitleLength }),
  content: text({ trim: true, notBlank: true, max: messageLimits.messageLength }),
}

export const snippetSchema = z.strictObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
})

export type Snippet = z.infer<typeof snippetSchema>

export function snippetView({ id, title, content, created_at }: SavedSnippetRow): Snippet {
  return { id, title, content, date_created: created_at }
}

/** Selects the user's snippets, the oldest first. Also `saved_snippets` of POST /register. */
export function snippetsOf(realm: RealmState, me: AccountRow): Selection<Snippet[]> {
  const all = sql<SavedSnippetRow>`SELECT * FROM saved_snippet
    WHERE realm_id = ${realm.id} AND user_id = ${me.id} ORDER BY id`
  return selection(all, (rows) => rows.map(snippetView))
}

export function noSuchSnippet() {
  return new ApiError('Saved snippet does not exist.', 'BAD_REQUEST', 404)
}
