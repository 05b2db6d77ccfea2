import type { AccountRow, UserGroupRow } from '../../../db/schema.ts'
import { requireMember } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, pathInteger, text, type Values } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { systemGroupId } from '../../kernel/groups/access.ts'
import { type GroupPermission, groupPermissions } from '../../kernel/groups/permission-settings.ts'
import {
  changedGroupSetting,
  type GroupSettingUpdate,
  groupSettingUpdateParam,
} from '../../kernel/groups/setting-value.ts'
import { groupSettingView } from '../../kernel/groups/setting-view.ts'
import { groupToManage } from './group-access.ts'
import { checkGroupNameIsFree, groupName, groupNameParam } from './group-name.ts'
import { groupView } from './group-view.ts'
import { groupLimits } from './limits.ts'
import { groupAdded, groupUpdated, ifKnowsDeactivated } from './user_group.event.ts'

const permissionParams = recordOf(namesIn(groupPermissions), (name) =>
  groupSettingUpdateParam(groupPermissions[name]).optional(),
)

const params = {
  user_group_id: pathInteger(),
  name: groupNameParam().optional(),
  description: text({ max: groupLimits.groupDescriptionLength }).optional(),
  ...permissionParams,
  deactivated: boolean().optional(), // level 386; true has no effect
}

type Params = Values<typeof params>

export const updateGroup = command('PATCH /user_groups/{user_group_id}', {
  summary: 'Update a user group, or reactivate it',
  access: requireMember,
  params,
  returns: {},
  async handle({ realm, me, params, commit }) {
    const { user_group_id: _, ...changes } = params
    if (Object.values(changes).every((value) => value === undefined)) throw badRequest('No new data supplied')
    plan(realm, me, params) // checks what it can before the change begins
    await commit(async (change) => {
      const { group, updates } = plan(change.state, me, params)
      const reactivates = params.deactivated === false && group.is_deactivated
      const columns = Object.assign({}, ...updates.map((update) => update.columns))
      if (reactivates) columns.is_deactivated = false
      if (Object.keys(columns).length === 0) return
      const changed = await change.update('user_group', { id: group.id, ...columns })
      for (const { data } of updates) emitUpdate(change, group, data)
      if (reactivates) emitReactivated(change, changed)
    })
    return {}
  },
})

type Update = { columns: Partial<UserGroupRow>; data: Parameters<typeof groupUpdated>[1] }

/** Returns the fields that differ from the current ones, one by one; throws if a change is not allowed. */
function plan(realm: RealmState, me: AccountRow, params: Params): { group: UserGroupRow; updates: Update[] } {
  const group = groupToManage(realm, me, params.user_group_id)
  const updates: Update[] = []
  const name = params.name === undefined ? group.name : groupName(params.name)
  if (name !== group.name) {
    checkGroupNameIsFree(realm, name, group.id)
    updates.push({ columns: { name }, data: { name } })
  }
  const description = params.description ?? group.description
  if (description !== group.description) updates.push({ columns: { description }, data: { description } })
  let permissions = group.permissions
  for (const name of namesIn(groupPermissions)) {
    const value = params[name] && newValue(realm, group, name, params[name])
    if (value === undefined) continue
    permissions = { ...permissions, [name]: value }
    updates.push({ columns: { permissions }, data: { [name]: groupSettingView(realm, value) } })
  }
  return { group, updates }
}

function newValue(realm: RealmState, group: UserGroupRow, name: GroupPermission, update: GroupSettingUpdate) {
  const current = group.permissions[name] ?? systemGroupId(realm, 'role:nobody')
  return changedGroupSetting(realm, name, groupPermissions[name], current, update)
}

/** Emits an update of a group. Not all clients know of deactivated groups. */
function emitUpdate(change: Change, group: UserGroupRow, data: Update['data']) {
  const event = groupUpdated(group.id, data)
  change.emit(group.is_deactivated ? ifKnowsDeactivated(event, true) : event, { everyone: true })
}

function emitReactivated(change: Change, group: UserGroupRow) {
  const back = groupUpdated(group.id, { deactivated: false })
  change.emit(ifKnowsDeactivated(back, true), { everyone: true })
  change.emit(ifKnowsDeactivated(groupAdded(groupView(change.state, group)), false), { everyone: true })
}
