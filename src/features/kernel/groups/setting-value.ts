import { z } from 'zod'
import type { GroupSetting } from '../../../db/values.ts'
import { list } from '../../../http/collections.ts'
import { json } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { systemGroupId } from './access.ts'
import { groupSettingLimits } from './limits.ts'
import type { PermissionSetting } from './permission-settings.ts'
import { groupSettingView } from './setting-view.ts'

/** A group-setting value on the wire: a group's id, or users and groups. */
const groupSettingSchema = z.union([
  z.int(),
  z.object({
    direct_members: list(z.int(), groupSettingLimits.settingMembers),
    direct_subgroups: list(z.int(), groupSettingLimits.settingSubgroups),
  }),
])

/** Describes the values that a setting allows. groupSettingValue checks them. */
function allowedValues({ systemGroups, nobody }: PermissionSetting) {
  const members = list(z.int(), groupSettingLimits.settingMembers)
  const groups = list(z.int(), groupSettingLimits.settingSubgroups)
  const value = (direct_members: typeof members, direct_subgroups: typeof groups) =>
    z.object({ direct_members, direct_subgroups })
  // An empty value stands for role:nobody.
  const atLeastOne = { minItems: 1 }
  if (systemGroups) {
    const one = { ...(!nobody && atLeastOne), maxItems: 1 }
    return z.union([z.int(), value(members.meta({ maxItems: 0 }), groups.meta(one))])
  }
  if (nobody) return groupSettingSchema
  return z.union([z.int(), value(members.meta(atLeastOne), groups), value(members, groups.meta(atLeastOne))])
}

/** The parameter for a setting of something new. */
export const groupSettingParam = (setting: PermissionSetting) => json(allowedValues(setting))

/** The value of each of these settings. */
export function groupSettingSchemas<Name extends string>(settings: Record<Name, unknown>) {
  return recordOf(namesIn(settings), () => groupSettingSchema)
}

/**
 * A change of a group-setting value: the new value, and the value it replaces. The change is refused if the value was
 * changed concurrently.
 */
export const groupSettingUpdateParam = (setting: PermissionSetting) =>
  json(z.object({ new: allowedValues(setting), old: groupSettingSchema.optional() }))

export type GroupSettingUpdate = { new: GroupSetting; old?: GroupSetting | undefined }

/**
 * Returns the value to store in place of `current`, or undefined if it is the same. Throws as isGroupSettingChange and
 * groupSettingValue do.
 */
export function changedGroupSetting(
  realm: RealmState,
  name: string,
  setting: PermissionSetting,
  current: GroupSetting,
  update: GroupSettingUpdate,
): GroupSetting | undefined {
  return isGroupSettingChange(realm, current, update)
    ? groupSettingValue(realm, name, setting, update.new)
    : undefined
}

/**
 * Returns whether an update asks for another value than the current one. Throws EXPECTATION_MISMATCH if the current value is
 * not the one that it expects.
 */
export function isGroupSettingChange(realm: RealmState, current: GroupSetting, update: GroupSettingUpdate) {
  const seen = groupSettingView(realm, current)
  if (update.old !== undefined && !isSameSetting(realm, update.old, seen)) {
    throw new ApiError("'old' value does not match the expected value.", 'EXPECTATION_MISMATCH')
  }
  return !isSameSetting(realm, update.new, seen)
}

function isSameSetting(realm: RealmState, a: GroupSetting, b: GroupSetting) {
  const [x, y] = [a, b].map((value) =>
    JSON.stringify(typeof value === 'number' ? value : simplest(realm, value)),
  )
  return x === y
}

/**
 * Returns a group-setting value as it is stored. Throws if a user or group does not exist, or if `setting` does not
 * allow the value. `name` is the setting's name on the wire.
 */
export function groupSettingValue(
  realm: RealmState,
  name: string,
  setting: PermissionSetting,
  sent: GroupSetting,
): GroupSetting {
  const value = typeof sent === 'number' ? sent : simplest(realm, sent)
  if (typeof value === 'number') {
    checkGroup(realm, name, setting, value)
    return value
  }
  if (setting.systemGroups) throw systemGroupRequired(name)
  for (const id of value.direct_members) {
    if (!realm.users.get(id)) throw badRequest(`Invalid user ID: ${id}`)
  }
  for (const id of value.direct_subgroups) checkUsable(realm, id, `Invalid user group ID: ${id}`)
  return value
}

// A value of exactly one group is stored as that group. An empty value is stored as role:nobody.
function simplest(
  realm: RealmState,
  { direct_members, direct_subgroups }: Exclude<GroupSetting, number>,
): GroupSetting {
  const members = sorted(direct_members)
  const subgroups = sorted(direct_subgroups)
  if (members.length > 0 || subgroups.length > 1)
    return { direct_members: members, direct_subgroups: subgroups }
  return subgroups[0] ?? systemGroupId(realm, 'role:nobody')
}

function checkGroup(realm: RealmState, name: string, setting: PermissionSetting, id: number) {
  const group = checkUsable(realm, id, 'Invalid user group')
  if (!group.is_system_group) {
    if (setting.systemGroups) throw systemGroupRequired(name)
    return
  }
  const refused =
    group.name === 'role:internet' ||
    (group.name === 'role:nobody' && !setting.nobody) ||
    (group.name === 'role:owners' && setting.noOwners) ||
    (group.name === 'role:everyone' && !setting.everyone) ||
    (setting.systemGroups?.length && !setting.systemGroups.some((allowed) => allowed === group.name))
  if (refused) throw badRequest(`'${name}' setting cannot be set to '${group.name}' group.`)
}

function checkUsable(realm: RealmState, id: number, otherwise: string) {
  const group = realm.groups.get(id)
  if (!group) throw badRequest(otherwise)
  if (group.is_deactivated) throw badRequest('User group is deactivated.')
  return group
}

function systemGroupRequired(name: string) {
  return new ApiError(`'${name}' must be a system user group.`, 'SYSTEM_GROUP_REQUIRED', 400, {
    setting_name: name,
  })
}

function sorted(ids: number[]) {
  return [...new Set(ids)].sort((a, b) => a - b)
}
