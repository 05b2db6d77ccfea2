import type { GroupSetting } from '../../../db/values.ts'

/**
 * Every permission that is held by a group or a set of users, with its default and its allowed values. The defaults,
 * validation, checks and POST /register's description all come from this table.
 */
export type PermissionSetting = {
  default: SystemGroup | 'channel_creator' | 'group_creator'
  /** Whether the value may be role:nobody. */
  nobody: boolean
  /**
   * Whether the value may be role:everyone. If not, guests never hold the permission, even as members of the chosen
   * group.
   */
  everyone: boolean
  /** The only system groups that may be chosen. An empty list means any system group. */
  systemGroups?: SystemGroup[]
  /** Whether role:owners is excluded. */
  noOwners?: true
}

export const systemGroups = [
  { name: 'role:nobody', description: 'Nobody' },
  { name: 'role:owners', description: 'Owners of this organization' },
  { name: 'role:administrators', description: 'Administrators of this organization, including owners' },
  { name: 'role:moderators', description: 'Moderators of this organization, including administrators' },
  {
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
  },
  { name: 'role:members', description: 'Members of this organization, not including guests' },
  { name: 'role:everyone', description: 'Everyone in this organization, including guests' },
  { name: 'role:internet', description: 'Everyone on the Internet' },
] as const

export type SystemGroup = (typeof systemGroups)[number]['name']

const yes = true
const no = false

function setting<Default extends PermissionSetting['default']>(
  byDefault: Default,
  nobody: boolean,
  everyone: boolean,
  systemGroups?: SystemGroup[],
): PermissionSetting & { default: Default } {
  return { default: byDefault, nobody, everyone, ...(systemGroups && { systemGroups }) }
}

/** Organization-level permissions: PATCH /realm sets them; POST /register prefixes their names with `realm_`. */
export const realmPermissions = {
  create_multiuse_invite_group: setting('role:administrators', yes, no),
  can_access_all_users_group: setting('role:everyone', no, yes, ['role:everyone', 'role:members']),
  can_add_subscribers_group: setting('role:members', yes, no),
  can_add_custom_emoji_group: setting('role:members', yes, no),
  can_create_bots_group: setting('role:members', yes, no),
  can_create_groups: setting('role:members', yes, no),
  can_create_public_channel_group: setting('role:members', yes, no),
  can_create_private_channel_group: setting('role:members', yes, no),
  can_create_web_public_channel_group: setting('role:owners', yes, no, [
    'role:moderators',
    'role:administrators',
    'role:owners',
    'role:nobody',
  ]),
  can_create_write_only_bots_group: setting('role:members', yes, no),
  can_delete_any_message_group: setting('role:administrators', yes, no),
  can_delete_own_message_group: setting('role:everyone', yes, yes),
  can_invite_users_group: setting('role:members', yes, no),
  can_manage_all_groups: setting('role:owners', no, no),
  can_manage_billing_group: setting('role:administrators', no, no),
  can_mention_many_users_group: setting('role:administrators', yes, yes),
  can_move_messages_between_channels_group: setting('role:members', yes, no),
  can_move_messages_between_topics_group: setting('role:everyone', yes, yes),
  can_resolve_topics_group: setting('role:everyone', yes, yes),
  can_set_delete_message_policy_group: setting('role:moderators', yes, no), // level 407
  can_set_topics_policy_group: setting('role:members', yes, yes), // level 392
  can_summarize_topics_group: setting('role:everyone', yes, yes),
  direct_message_initiator_group: setting('role:everyone', yes, yes),
  direct_message_permission_group: setting('role:everyone', yes, yes),
} satisfies Record<string, PermissionSetting>

/** Channel-level permissions: PATCH /streams/{stream_id} sets them, and channel creation does. */
export const channelPermissions = {
  can_add_subscribers_group: setting('role:nobody', yes, no),
  can_administer_channel_group: setting('channel_creator', yes, no),
  can_delete_any_message_group: setting('role:nobody', yes, yes), // level 407
  can_delete_own_message_group: setting('role:nobody', yes, yes), // level 407
  can_move_messages_out_of_channel_group: setting('role:nobody', yes, yes), // level 396
  can_move_messages_within_channel_group: setting('role:nobody', yes, yes), // level 396
  can_remove_subscribers_group: setting('role:administrators', yes, yes),
  can_resolve_topics_group: setting('role:nobody', yes, yes), // level 402
  can_send_message_group: setting('role:everyone', yes, yes),
  can_subscribe_group: setting('role:nobody', yes, no),
} satisfies Record<string, PermissionSetting>

/** Group-level permissions. System groups have role:nobody for all of them. */
export const groupPermissions = {
  can_add_members_group: setting('group_creator', yes, no),
  can_join_group: setting('role:nobody', yes, no),
  can_leave_group: setting('role:everyone', yes, yes),
  can_manage_group: setting('group_creator', yes, no),
  can_mention_group: { ...setting('role:everyone', yes, yes), noOwners: true },
  can_remove_members_group: setting('role:nobody', yes, no),
} satisfies Record<string, PermissionSetting>

export type RealmPermission = keyof typeof realmPermissions

declare module '../../../db/values.ts' {
  interface StoredRealmSettings extends Record<RealmPermission, GroupSetting> {}
}
export type ChannelPermission = keyof typeof channelPermissions
export type GroupPermission = keyof typeof groupPermissions

/** `server_supported_permission_settings` of POST /register. */
export function supportedPermissionSettings() {
  const describe = (settings: Record<string, PermissionSetting>, level: 'realm' | 'stream' | 'group') =>
    Object.fromEntries(Object.entries(settings).map(([name, one]) => [name, describeSetting(one, level)]))
  return {
    realm: describe(realmPermissions, 'realm'),
    stream: describe(channelPermissions, 'stream'),
    group: describe(groupPermissions, 'group'),
  }
}

function describeSetting(one: PermissionSetting, level: 'realm' | 'stream' | 'group') {
  return {
    require_system_group: one.systemGroups !== undefined,
    allow_internet_group: false,
    allow_nobody_group: one.nobody,
    allow_everyone_group: one.everyone,
    // Renamed to channel_creator at level 427.
    default_group_name: one.default === 'channel_creator' ? 'stream_creator_or_nobody' : one.default,
    default_for_system_groups: level === 'group' ? 'role:nobody' : null,
    allowed_system_groups: one.systemGroups ?? [],
  }
}
