import { type TextKey, t } from '../../../lib/i18n.ts'
import { groupOf } from '../../../store/groups.ts'
import type { GroupSetting } from '../../../store/server-state-types.ts'

const roles: Record<string, TextKey> = {
  'role:nobody': 'group.nobody',
  'role:owners': 'group.owners',
  'role:administrators': 'group.administrators',
  'role:moderators': 'group.moderators',
  'role:fullmembers': 'group.full_members',
  'role:members': 'group.members',
  'role:everyone': 'group.everyone',
  'role:internet': 'group.internet',
}

/** How a group is shown: those of the roles have names in the user's language. */
export function groupName(id: number): string {
  const name = groupOf(id)?.name ?? `#${id}`
  const key = roles[name]
  return key ? t(key) : name
}

export type Chosen = { direct_members: number[]; direct_subgroups: number[] }

/** A setting in one form; nobody is nothing chosen. */
export function chosenOf(setting: GroupSetting): Chosen {
  if (typeof setting !== 'number')
    return {
      direct_members: [...setting.direct_members].sort((a, b) => a - b),
      direct_subgroups: [...setting.direct_subgroups].sort((a, b) => a - b),
    }
  const isNobody = groupOf(setting)?.name === 'role:nobody'
  return { direct_members: [], direct_subgroups: isNobody ? [] : [setting] }
}
