import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathRest } from '../../../http/params.ts'
import { noSuchView } from '../kernel/navigation/navigation.ts'
import { viewRemoved } from './navigation_view.event.ts'

export const removeNavigationView = command('DELETE /navigation_views/{fragment}', {
  summary: 'Remove a navigation view, or restore a built-in one to its default',
  since: 390,
  access: requireUser,
  params: { fragment: pathRest() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const { fragment } = params
    await commit(async (change) => {
      const gone = await change.run(sql`
        DELETE FROM navigation_view
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND fragment = ${fragment} RETURNING fragment`)
      if (gone.length === 0) throw noSuchView()
      change.emit(viewRemoved(fragment), { users: [me.id] })
    })
    return {}
  },
})
