import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, pathRest } from '../../../http/params.ts'
import {
  alreadyThere,
  checkName,
  noSuchView,
  viewNameParam,
  viewsNow,
} from '../kernel/navigation/navigation.ts'
import { viewUpdated } from './navigation_view.event.ts'

export const updateNavigationView = command('PATCH /navigation_views/{fragment}', {
  summary: 'Rename, pin or hide a navigation view',
  since: 390,
  access: requireUser,
  params: {
    fragment: pathRest(),
    is_pinned: boolean().optional(),
    name: viewNameParam().optional(),
  },
  returns: {},
  async handle({ me, params, commit }) {
    const { fragment, is_pinned, name } = params
    await commit(async (change) => {
      const views = await viewsNow(change, me)
      const view = views.find((one) => one.fragment === fragment)
      if (!view) throw noSuchView()
      if (name !== undefined) checkName(fragment, name)
      if (name && views.some((one) => one !== view && one.name === name)) throw alreadyThere()
      const data = {
        ...(name !== undefined && name !== view.name && { name }),
        ...(is_pinned !== undefined && is_pinned !== view.is_pinned && { is_pinned }),
      }
      if (Object.keys(data).length === 0) return
      await change.update('navigation_view', { user_id: me.id, fragment, ...data })
      change.emit(viewUpdated(fragment, data), { users: [me.id] })
    })
    return {}
  },
})
