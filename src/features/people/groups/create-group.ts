import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import type { GroupSetting } from '../../../db/values.ts'
import { requireHumanMember } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integers, text, type Values } from '../../../http/params.ts'
import { notPermitted } from '../../../lib/api-error.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasRealmPermission, systemGroupId } from '../../kernel/groups/access.ts'
import { groupPermissions } from '../../kernel/groups/permission-settings.ts'
import { groupSettingParam, groupSettingValue } from '../../kernel/groups/setting-value.ts'
import { checkMadeToday } from '../../kernel/users/made-today.ts'
import { checkGroupNameIsFree, groupName, groupNameParam } from './group-name.ts'
import { groupView } from './group-view.ts'
import { groupLimits } from './limits.ts'
import { checkNewMembers, checkSubgroups } from './membership.ts'
import { groupAdded } from './user_group.event.ts'

const permissionParams = recordOf(namesIn(groupPermissions), (name) =>
  groupSettingParam(groupPermissions[name]).optional(),
)

const params = {
  name: groupNameParam(),
  description: text({ max: groupLimits.groupDescriptionLength }),
  members: integers(),
  subgroups: integers().default([]), // level 311
  ...permissionParams,
}

type Params = Values<typeof params>

export const createGroup = command('POST /user_groups/create', {
  summary: 'Create a user group',
  creates: true,
  access: requireHumanMember,
  params,
  returns: { group_id: z.int() },
  async handle({ realm, me, site, params, commit, conclude }) {
    plan(realm, me, params, site.clock()) // checks what it can before the change begins
    const [first, ...parts] = chunksOf([...new Set(params.members)], groupLimits.membersPerStep)
    const begin = async (change: Change) => ({
      group_id: await create(
        change,
        me,
        plan(change.state, me, { ...params, members: first ?? [] }, change.now),
      ),
    })
    const last = parts.pop()
    if (!last) return conclude(begin)
    // Many members are added in steps, so that other changes do not have to wait for all of them.
    const { group_id } = await commit(begin)
    for (const part of parts) await commit((change) => addMembers(change, group_id, part))
    return conclude(async (change) => {
      await addMembers(change, group_id, last)
      return { group_id }
    })
  },
})

type Plan = ReturnType<typeof plan>

function plan(realm: RealmState, me: AccountRow, params: Params, now: number) {
  if (!hasRealmPermission(realm, me, 'can_create_groups')) throw notPermitted()
  const limit = { what: 'user groups', most: groupLimits.newGroupsPerDay, more: 1, now }
  checkMadeToday(realm, me, realm.groups.values(), limit)
  const members = checkNewMembers(realm, params.members)
  const name = groupName(params.name)
  const permissions = permissionsOf(realm, me, params)
  checkGroupNameIsFree(realm, name)
  const subgroups = checkSubgroups(realm, params.subgroups)
  return { name, description: params.description, permissions, members, subgroups }
}

function permissionsOf(realm: RealmState, me: AccountRow, params: Params): Record<string, GroupSetting> {
  const names = namesIn(groupPermissions)
  const entries = names.map((name): [string, GroupSetting] => {
    const sent = params[name]
    const setting = groupPermissions[name]
    if (sent !== undefined) return [name, groupSettingValue(realm, name, setting, sent)]
    if (setting.default === 'group_creator') return [name, { direct_members: [me.id], direct_subgroups: [] }]
    return [name, systemGroupId(realm, setting.default)]
  })
  return Object.fromEntries(entries)
}

// Nothing can depend on a new group yet, so no user gains visibility of anything through it.
async function create(change: Change, me: AccountRow, plan: Plan): Promise<number> {
  const { members, subgroups, ...columns } = plan
  const row = { ...columns, creator_id: me.id, created_at: change.now }
  const group = await change.insert('user_group', row)
  const { id } = group
  await change.insertAll(
    'group_member',
    members.map((user_id) => ({ group_id: id, user_id })),
  )
  change.emit(groupAdded(groupView(change.next, group)), { everyone: true })
  await change.insertAll(
    'group_subgroup',
    subgroups.map((subgroup_id) => ({ group_id: id, subgroup_id })),
  )
  return id
}

/** Adds those of the users who can still be members of the group, if the group is still available to them. */
async function addMembers(change: Change, groupId: number, userIds: number[]) {
  const { groups, groupMembers, users } = change.state
  if (!groups.get(groupId)) return
  const added = userIds.filter((id) => users.get(id)?.is_active && !groupMembers.get(groupId, id))
  if (added.length === 0) return
  await change.insertAll(
    'group_member',
    added.map((user_id) => ({ group_id: groupId, user_id })),
  )
}
