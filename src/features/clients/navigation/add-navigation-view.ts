import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { navigationLimits } from '../kernel/navigation/limits.ts'
import {
  alreadyThere,
  checkName,
  navigationView,
  viewNameParam,
  viewsNow,
} from '../kernel/navigation/navigation.ts'
import { viewAdded } from './navigation_view.event.ts'

export const addNavigationView = command('POST /navigation_views', {
  summary: 'Add a navigation view, or pin or hide a built-in one',
  since: 390,
  creates: true,
  access: requireUser,
  params: {
    fragment: text({ trim: true, notBlank: true, max: navigationLimits.navigationFragmentLength }),
    is_pinned: boolean(),
    name: viewNameParam().optional(),
  },
  returns: {},
  async handle({ me, params, conclude }) {
    const { fragment, is_pinned, name = null } = params
    checkName(fragment, name)
    return conclude(async (change) => {
      const existing = await viewsNow(change, me)
      const isTaken = existing.some((view) => view.fragment === fragment || (name && view.name === name))
      if (isTaken) throw alreadyThere()
      if (existing.length >= navigationLimits.navigationViewsPerUser)
        throw badRequest('Too many navigation views.')
      const row = await change.insert('navigation_view', { user_id: me.id, fragment, is_pinned, name })
      change.emit(viewAdded(navigationView(row)), { users: [me.id] })
      return {}
    })
  },
})
