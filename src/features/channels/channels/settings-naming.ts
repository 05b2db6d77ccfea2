import type { ChannelRow } from '../../../db/schema.ts'
import type { GroupSetting } from '../../../db/values.ts'
import { namesIn } from '../../../lib/collections/records.ts'
import type { Change } from '../../../log/change.ts'
import type { RowChanges } from '../../../log/consequences.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasMetadataAccess } from '../../kernel/channels/access.ts'
import { realmPermissionValue } from '../../kernel/groups/access.ts'
import { realmPermissions } from '../../kernel/groups/permission-settings.ts'
import { groupSettingView } from '../../kernel/groups/setting-view.ts'
import { channelSettings, realmSettings } from '../../kernel/settings/settings.ts'
import {
  channelSettingsUnset,
  realmPermissionChanged,
} from '../../organization/kernel/settings/realm.event.ts'
import { groupUpdated, ifKnowsDeactivated } from '../../people/groups/user_group.event.ts'
import { channelAudience } from '../kernel/channels/audience.ts'
import { channelUpdated } from '../kernel/channels/stream.event.ts'

const everyone = { everyone: true } as const

/**
 * Emits all permission settings that include a user who was deactivated or reactivated, since settings are shown without
 * deactivated users. `only`: to these users alone.
 */
export function emitSettingsNaming({ change, after: state }: RowChanges, userId: number, only?: number[]) {
  const audience = only ? { users: only } : everyone
  for (const name of namesIn(realmPermissions)) {
    const value = realmPermissionValue(state, name)
    if (names(value, userId))
      change.emit(realmPermissionChanged(name, groupSettingView(state, value)), audience)
  }
  for (const channel of state.channels.values()) {
    for (const [name, value] of Object.entries(channel.permissions)) {
      if (!names(value, userId)) continue
      change.emit(
        channelUpdated(channel, name, groupSettingView(state, value)),
        only ? { users: whoSee(state, channel, only) } : channelAudience(state, channel),
      )
    }
  }
  for (const group of state.groups.values()) {
    const naming = Object.entries(group.permissions).filter(([, value]) => names(value, userId))
    if (naming.length === 0) continue
    const shown = naming.map(([name, value]) => [name, groupSettingView(state, value)])
    const event = groupUpdated(group.id, Object.fromEntries(shown))
    change.emit(group.is_deactivated ? ifKnowsDeactivated(event, true) : event, audience)
  }
}

/** Removes an archived channel from the organization's settings, since it takes no announcements and no reports. */
export async function unsetChannel(change: Change, channelId: number) {
  const { next } = change
  const naming = channelSettings.filter((name) => realmSettings(next)[name] === channelId)
  if (naming.length === 0) return
  const unset = Object.fromEntries(naming.map((name) => [name, -1]))
  await change.update('realm', { id: next.id, settings: { ...next.row.settings, ...unset } })
  change.emit(channelSettingsUnset(naming), everyone)
}

function whoSee(state: RealmState, channel: ChannelRow, userIds: number[]): number[] {
  return userIds.filter((id) => hasMetadataAccess(state, state.users.require(id), channel))
}

function names(value: GroupSetting, userId: number) {
  return typeof value !== 'number' && value.direct_members.includes(userId)
}
