import { fragmentsOf } from '../../../../http/fragment-cache.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { groupsForRegister } from '../../../people/groups/group-view.ts'
import { JsonPieces, type Registration, type Section } from '../section.ts'

export const groupSections: Section[] = [
  {
    asked: ['realm_user_groups'],
    fields: (registration) => ({ realm_user_groups: new JsonPieces([groups(registration)]) }),
  },
]

function groups({ realm, site, capabilities }: Registration) {
  const includeDeactivated = capabilities.include_deactivated_groups
  const { groups, groupMembers, groupSubgroups, users, realms } = realm
  const versions = [groups, groupMembers, groupSubgroups, users, realms].map((table) => table.version)
  // With a waiting period, members become full members as time passes.
  const minute = realmSettings(realm).waiting_period_threshold === 0 ? 0 : Math.floor(site.clock() / 60)
  return fragmentsOf(realm).get(`groups ${includeDeactivated}`, [...versions, minute], () =>
    JSON.stringify(groupsForRegister(realm, { includeDeactivated })),
  )
}
