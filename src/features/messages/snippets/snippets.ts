import { z } from 'zod'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow, SavedSnippetRow } from '../../../db/schema.ts'
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

/** Returns the user's snippets, the oldest first. Also `saved_snippets` of POST /register. */
export async function snippetsOf(read: Reader, realm: RealmState, me: AccountRow): Promise<Snippet[]> {
  const rows = await read
    .selectFrom('saved_snippet')
    .where('realm_id', '=', realm.id)
    .where('user_id', '=', me.id)
    .orderBy('id')
    .selectAll()
    .execute()
  return rows.map(snippetView)
}

export function noSuchSnippet() {
  return new ApiError('Saved snippet does not exist.', 'BAD_REQUEST', 404)
}
