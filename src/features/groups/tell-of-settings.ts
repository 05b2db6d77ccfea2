import type { GroupSetting } from '../../db/values.ts'
import type { Change } from '../../log/change.ts'
import { channelAudience } from '../channels/audience.ts'
import { channelUpdated } from '../channels/stream.event.ts'
import { realmPermissionChanged } from '../realm/realm.event.ts'
import { realmPermissionValue } from './access.ts'
import { type RealmPermission, realmPermissions } from './permission-settings.ts'
import { groupSettingView } from './setting-view.ts'
import { groupUpdated, ifKnowsDeactivated } from './user_group.event.ts'

/**
 * Tells of all settings that name somebody who is active again, as this change leaves them: clients have been without
 * that name as long as it meant nobody.
 */
export function tellOfSettingsNaming(change: Change, userId: number) {
  const { state } = change
  const everyone = { everyone: true } as const
  const shown = (value: GroupSetting) => change.ahead((ahead) => groupSettingView(ahead, value))
  for (const name of Object.keys(realmPermissions) as RealmPermission[]) {
    const value = realmPermissionValue(state, name)
    if (names(value, userId)) change.emit(realmPermissionChanged(name, shown(value)), everyone)
  }
  for (const channel of state.channels.values()) {
    for (const [name, value] of Object.entries(channel.permissions)) {
      if (!names(value, userId)) continue
      const audience = change.ahead((ahead) => channelAudience(ahead, channel))
      change.emit(channelUpdated(channel, name, shown(value)), audience)
    }
  }
  for (const group of state.groups.values()) {
    const told = Object.entries(group.permissions).filter(([, value]) => names(value, userId))
    if (told.length === 0) continue
    const event = groupUpdated(
      group.id,
      Object.fromEntries(told.map(([name, value]) => [name, shown(value)])),
    )
    change.emit(group.is_deactivated ? ifKnowsDeactivated(event, true) : event, everyone)
  }
}

function names(value: GroupSetting, userId: number) {
  return typeof value !== 'number' && value.direct_members.includes(userId)
}
