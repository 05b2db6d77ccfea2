import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, NavigationViewRow } from '../../../../db/schema.ts'
import { type Selection, selection } from '../../../../db/selection.ts'
import { notBlankPattern, text } from '../../../../http/params.ts'
import { ApiError, badRequest } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { navigationLimits } from './limits.ts'

/** The views that are built into clients. They have names of their own. */
const builtIn = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
])

export const navigationViewSchema = z.strictObject({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable(),
})

export type NavigationView = z.infer<typeof navigationViewSchema>

export function navigationView({ fragment, is_pinned, name }: NavigationViewRow): NavigationView {
  return { fragment, is_pinned, name }
}

/** Selects the user's changes of their sidebar, which are also `navigation_views` of POST /register. */
export function navigationViewsOf(realm: RealmState, me: AccountRow): Selection<NavigationView[]> {
  return selection(sql<NavigationViewRow>`${allOf(realm, me)} ORDER BY fragment`, (rows) =>
    rows.map(navigationView),
  )
}

/** Returns the rows of these changes within a change, where no concurrent request can add any. */
export function viewsNow(change: Change, me: AccountRow): Promise<NavigationViewRow[]> {
  return change.run(allOf(change.state, me))
}

function allOf(realm: RealmState, me: AccountRow) {
  return sql<NavigationViewRow>`SELECT * FROM navigation_view
    WHERE realm_id = ${realm.id} AND user_id = ${me.id}`
}

/** The name of a user's own view. checkName checks it. */
export const viewNameParam = () =>
  text({ trim: true, max: navigationLimits.navigationNameLength }).documentedAs({ pattern: notBlankPattern })

/** Throws unless a view may have this name: a user's own views need one, built-in views must not have one. */
export function checkName(fragment: string, name: string | null) {
  if (builtIn.has(fragment)) {
    if (name !== null) throw badRequest('Built-in views cannot have a custom name.')
  } else if (!name) {
    throw badRequest('Custom views must have a valid name.')
  }
}

export function alreadyThere() {
  return badRequest('Navigation view already exists.')
}

export function noSuchView() {
  return new ApiError('Navigation view does not exist.', 'BAD_REQUEST', 404)
}
