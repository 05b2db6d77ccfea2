import { requireOwner } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { realmDeactivated } from '../kernel/settings/realm.event.ts'

export const deactivateRealm = command('POST /realm/deactivate', {
  summary: 'Deactivate the organization; its data is kept',
  access: requireOwner,
  params: {},
  returns: {},
  async handle({ realm, commit }) {
    await commit(async (change) => {
      await change.update('realm', { id: realm.id, is_deactivated: true })
      change.emit(realmDeactivated(realm.id), { everyone: true })
    })
    return {}
  },
})
