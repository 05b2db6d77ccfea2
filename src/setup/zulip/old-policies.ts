import type { RealmPermission, SystemGroup } from '../../features/kernel/groups/permission-settings.ts'

// Before permissions of an organization had groups as their holders, they were numbers in columns of other names.

type Holders = Readonly<Record<string, SystemGroup>>

const common: Holders = {
  1: 'role:members',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
  5: 'role:everyone',
  6: 'role:nobody',
  7: 'role:owners',
}
const mentions: Holders = {
  ...common,
  1: 'role:everyone',
  2: 'role:members',
  5: 'role:administrators',
  7: 'role:moderators',
}
const bots: Holders = { 1: 'role:members', 2: 'role:administrators', 3: 'role:administrators' }
const simpleBots: Holders = { ...bots, 2: 'role:members' }
const directMessages: Holders = { 1: 'role:everyone', 2: 'role:nobody' }
const byAdminsOnly: Holders = { true: 'role:administrators', false: 'role:members' }
const byEveryone: Holders = { true: 'role:everyone', false: 'role:administrators' }

/** By permission: the columns that said who holds it, the latest first. */
const columns: Partial<Record<RealmPermission, readonly (readonly [column: string, holders: Holders])[]>> = {
  can_create_public_channel_group: [
    ['create_public_stream_policy', common],
    ['create_stream_policy', common],
  ],
  can_create_private_channel_group: [
    ['create_private_stream_policy', common],
    ['create_stream_policy', common],
  ],
  can_create_web_public_channel_group: [['create_web_public_stream_policy', common]],
  can_invite_users_group: [
    ['invite_to_realm_policy', common],
    ['invite_by_admins_only', byAdminsOnly],
  ],
  can_add_subscribers_group: [['invite_to_stream_policy', common]],
  can_create_groups: [['user_group_edit_policy', common]],
  can_manage_all_groups: [['user_group_edit_policy', common]],
  can_mention_many_users_group: [['wildcard_mention_policy', mentions]],
  can_move_messages_between_channels_group: [['move_messages_between_streams_policy', common]],
  can_move_messages_between_topics_group: [
    ['edit_topic_policy', common],
    ['allow_community_topic_editing', byEveryone],
  ],
  can_delete_own_message_group: [
    ['delete_own_message_policy', common],
    ['allow_message_deleting', byEveryone],
  ],
  can_create_bots_group: [['bot_creation_policy', bots]],
  can_create_write_only_bots_group: [['bot_creation_policy', simpleBots]],
  can_add_custom_emoji_group: [
    ['add_custom_emoji_policy', common],
    ['add_emoji_by_admins_only', byAdminsOnly],
  ],
  direct_message_permission_group: [['private_message_policy', directMessages]],
}

/** Returns the holders of a permission in an old version; undefined if it says nothing of it. */
export function holdersInOldVersion(
  row: Readonly<Record<string, unknown>>,
  permission: RealmPermission,
): SystemGroup | undefined {
  for (const [column, holders] of columns[permission] ?? []) {
    const value = row[column]
    const group = typeof value === 'number' || typeof value === 'boolean' ? holders[String(value)] : undefined
    if (group) return group
  }
  return undefined
}

/** Returns personal settings that old versions have under other names, by their present names. */
export function oldUserSettings(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...(row.night_mode === true && { color_scheme: 2 }),
    ...(row.default_view !== undefined && { web_home_view: row.default_view }),
    ...(row.escape_navigates_to_default_view !== undefined && {
      web_escape_navigates_to_home_view: row.escape_navigates_to_default_view,
    }),
    ...(row.dense_mode === true && { web_font_size_px: 14, web_line_height_percent: 122 }),
  }
}

/** Returns settings of the organization that old versions have under other names, by their present names. */
export function oldRealmSettings(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...(row.mandatory_topics === true && { topics_policy: 'disable_empty_topic' }),
    ...(row.allow_edit_history === false && { message_edit_history_visibility_policy: 'none' }),
  }
}
