import type { SettingSpec } from '../settings/parts/declare.ts'

// All that PATCH /user_groups/{user_group_id} takes, but `deactivated`, which has buttons.

export const groupLimits = { name: 100, description: 10_000 } as const

export const groupTexts: readonly SettingSpec[] = [
  { key: 'name', kind: 'text', text: 'groups.name', max: groupLimits.name, isRequired: true },
  {
    key: 'description',
    kind: 'text',
    text: 'groups.description',
    max: groupLimits.description,
    isLong: true,
  },
]

const permission = (key: string, text: SettingSpec['text'], note?: SettingSpec['note']): SettingSpec => ({
  key,
  kind: 'group',
  text,
  ...(note && { note }),
  permission: { kind: 'group', name: key },
})

export const groupPermissions: readonly SettingSpec[] = [
  permission('can_manage_group', 'groups.can_manage', 'groups.can_manage_note'),
  permission('can_mention_group', 'groups.can_mention'),
  permission('can_add_members_group', 'groups.can_add'),
  permission('can_remove_members_group', 'groups.can_remove'),
  permission('can_join_group', 'groups.can_join'),
  permission('can_leave_group', 'groups.can_leave'),
]
