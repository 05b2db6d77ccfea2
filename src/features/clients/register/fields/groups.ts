import { fragmentsOf } from '../../../../http/responses/fragment-cache.ts'
import { mapInSlices } from '../../../../lib/async/time-slice.ts'
import { groupsForRegister, membersByRole } from '../../../people/groups/group-view.ts'
import { waitedAccounts } from '../../../people/groups/system-groups.ts'
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

function groups({ realm, capabilities }: Registration) {
  const includeDeactivated = capabilities.include_deactivated_groups
  const { groups, groupMembers, groupSubgroups, users, realms } = realm
  const versions = [groups, groupMembers, groupSubgroups, users, realms].map((table) => table.version)
  return fragmentsOf(realm).get(`groups ${includeDeactivated}`, [...versions, waitedAccounts(realm)], () =>
    JSON.stringify(groupsForRegister(realm, { includeDeactivated })),
  )
}
