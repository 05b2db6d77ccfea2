import type { RealmRow } from '../../db/schema.ts'
import { systemGroupId } from '../../features/kernel/groups/access.ts'
import { realmPermissions } from '../../features/kernel/groups/permission-settings.ts'
import { realmSettingDefaults } from '../../features/kernel/settings/settings.ts'
import { isLanguage } from '../../features/organization/kernel/users/setting-choices.ts'
import { realmSettingParams } from '../../features/organization/settings/realm-params.ts'
import { namesIn } from '../../lib/collections/records.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { checkedSetting } from './checked-setting.ts'
import type { LeftOut } from './left-out.ts'
import { holdersInOldVersion, oldRealmSettings } from './old-policies.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipGroups } from './zulip-groups.ts'
import type { ZulipRow } from './zulip-tables.ts'
import { userSettingsIn } from './zulip-user-settings.ts'

type Columns = Record<string, unknown>

/** Returns the settings of the organization in the columns of its row, other than permissions. */
function realmSettingsIn(row: Columns, leftOut: LeftOut): RealmRow['settings'] {
  const found: Columns = {}
  for (const name of namesIn(realmSettingDefaults)) {
    const sent = sentFor(name, row[name])
    // Announcements have columns of other names.
    if (name.endsWith('_id') || sent === undefined) continue
    const value = checkedSetting(realmSettingParams, name, sent)
    const isUnknown = value === undefined || (name === 'default_language' && !isLanguage(String(value)))
    if (isUnknown) leftOut.add('settings')
    else found[name] = value
  }
  return found
}

/** The channels of announcements: columns there, the older first, and settings here. */
const announcements = [
  ['notifications_stream', 'new_stream_announcements_stream_id'],
  ['new_stream_announcements_stream', 'new_stream_announcements_stream_id'],
  ['signup_notifications_stream', 'signup_announcements_stream_id'],
  ['signup_announcements_stream', 'signup_announcements_stream_id'],
  ['zulip_update_announcements_stream', 'zulip_update_announcements_stream_id'],
  ['moderation_request_channel', 'moderation_request_channel_id'],
] as const

/** Gives the organization the settings that it has in the export, as far as there are such settings here. */
export async function addRealmSettings(change: Change, source: ZulipExport, groups: ZulipGroups) {
  const { leftOut } = source
  const [row] = source.rows('zerver_realm')
  if (!row) return
  const settings = realmSettingsIn({ ...oldRealmSettings(row), ...row }, leftOut)
  for (const [column, name] of announcements) {
    const id = row[column]
    if (typeof id !== 'number' || !change.state.channels.get(id)) continue
    settings[name] = id
  }
  await change.update('realm', {
    id: change.state.id,
    created_at: row.date_created ?? change.now,
    settings: { ...change.state.row.settings, ...settings, ...permissionsIn(row, groups, change.state) },
  })
}

/** Sets what new users begin with. */
export async function addUserDefaults(change: Change, source: ZulipExport) {
  const [defaults = {}] = source.rows('zerver_realmuserdefault')
  const user_settings_defaults = userSettingsIn(defaults, source.leftOut)
  await change.update('realm', {
    id: change.state.id,
    settings: { ...change.state.row.settings, user_settings_defaults },
  })
}

function permissionsIn(
  row: ZulipRow<'zerver_realm'>,
  groups: ZulipGroups,
  state: RealmState,
): RealmRow['settings'] {
  const found: Columns = {}
  for (const name of namesIn(realmPermissions)) {
    const old = holdersInOldVersion(row, name)
    const value =
      groups.valueIn(row, name, realmPermissions[name]) ??
      (old && groups.allowedValue(name, realmPermissions[name], systemGroupId(state, old)))
    if (value !== undefined) found[name] = value
  }
  // Before that was a permission of its own, who moved messages between topics resolved them.
  if (row.can_resolve_topics_group === undefined && found.can_move_messages_between_topics_group)
    found.can_resolve_topics_group = found.can_move_messages_between_topics_group
  return found
}

/** Returns what the API takes for the value of a column; undefined for none, which means the default. */
function sentFor(name: string, value: unknown): unknown {
  if (name === 'jitsi_server_url' && value === null) return 'default'
  if (value === undefined || !timeLimits.has(name)) return value ?? undefined
  // -1 and null, and in old versions also 0.
  return value === null || (typeof value === 'number' && value <= 0) ? 'unlimited' : value
}

const timeLimits: ReadonlySet<string> = new Set([
  'message_content_delete_limit_seconds',
  'message_content_edit_limit_seconds',
  'message_retention_days',
  'move_messages_between_streams_limit_seconds',
  'move_messages_within_stream_limit_seconds',
])
