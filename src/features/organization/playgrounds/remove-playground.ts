import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'

export const removePlayground = command('DELETE /realm/playgrounds/{playground_id}', {
  summary: 'Remove a code playground',
  since: 49,
  access: requireAdministrator,
  params: { playground_id: pathInteger() },
  returns: {},
  async handle({ realm, params, commit }) {
    playgroundById(realm, params.playground_id)
    await commit(async (change) => {
      const { id } = playgroundById(change.state, params.playground_id)
      await change.deleteAll('playground', [{ id }])
    })
    return {}
  },
})

function playgroundById(realm: RealmState, id: number) {
  const row = realm.playgrounds.get(id)
  if (!row) throw badRequest('Invalid playground')
  return row
}
