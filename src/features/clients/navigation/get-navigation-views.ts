import { z } from 'zod'
import { readSelection } from '../../../db/selection.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { navigationViewSchema, navigationViewsOf } from '../kernel/navigation/navigation.ts'

export const getNavigationViews = query('GET /navigation_views', {
  summary: "List the caller's navigation views",
  since: 390,
  access: requireUser,
  params: {},
  returns: { navigation_views: z.array(navigationViewSchema) },
  async handle({ realm, me, read }) {
    return { navigation_views: await readSelection(read, navigationViewsOf(realm, me)) }
  },
})
