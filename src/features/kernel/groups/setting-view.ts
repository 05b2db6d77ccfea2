import type { GroupSetting } from '../../../db/values.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Returns a group-setting value as clients see it. Deactivated users are left out, since they hold no permission. */
export function groupSettingView(realm: RealmState, value: GroupSetting): GroupSetting {
  if (typeof value === 'number') return value
  const { direct_members, direct_subgroups } = value
  return { direct_members: direct_members.filter((id) => realm.users.get(id)?.is_active), direct_subgroups }
}
