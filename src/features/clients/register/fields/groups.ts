import { fragmentsOf } from '../../../../http/responses/fragment-cache.ts'
import { mapInSlices } from '../../../../lib/async/time-slice.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { groupsForRegister, membersByRole } from '../../../people/groups/group-view.ts'
import { JsonChunks, type Registration, type Section } from '../section.ts'

export const groupSections: Section[] = [
  {
    asked: ['realm_user_groups'],
    prepare: prepareGroups,
    fields: (registration) => ({ realm_user_groups: new JsonChunks([groups(registration)]) }),
  },
]

/** Each of these takes tens of milliseconds in an organization of 100,000 users. */
async function prepareGroups(registration: Registration) {
  const makers = [() => membersByRole(registration.realm), () => groups(registration)]
  await mapInSlices(makers, (make) => void make())
}

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
