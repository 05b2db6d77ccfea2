import type { ServerDraft } from '../lib/draft-merge.ts'
import type { Folder, OrganizationState, ProfileField } from './organization-state-types.ts'

/** The fields of the answer of POST /register that the client reads, in their wire form. */
export type ServerState = OrganizationState & {
  queue_id: string
  last_event_id: number
  user_id: number
  full_name: string
  is_admin: boolean
  is_guest: boolean
  is_moderator: boolean
  avatar_url: string | null
  avatar_source: string
  max_message_id: number
  max_message_length: number
  max_topic_length: number
  max_file_upload_size_mib: number
  realm_name: string
  realm_icon_url: string
  realm_url: string
  realm_empty_topic_display_name: string
  realm_topics_policy: string
  realm_allow_message_editing: boolean
  realm_message_content_edit_limit_seconds: number | null
  realm_message_content_delete_limit_seconds: number | null
  realm_message_edit_history_visibility_policy: string
  realm_enable_read_receipts: boolean
  realm_can_delete_any_message_group: GroupSetting
  realm_can_delete_own_message_group: GroupSetting
  realm_can_move_messages_between_topics_group: GroupSetting
  realm_can_move_messages_between_channels_group: GroupSetting
  realm_can_resolve_topics_group: GroupSetting
  realm_move_messages_within_stream_limit_seconds: number | null
  realm_move_messages_between_streams_limit_seconds: number | null
  realm_moderation_request_channel_id: number
  /** The channels to which new users are subscribed. */
  realm_default_streams: number[]
  realm_can_create_public_channel_group: GroupSetting
  realm_can_create_private_channel_group: GroupSetting
  realm_can_create_web_public_channel_group: GroupSetting
  realm_can_add_subscribers_group: GroupSetting
  realm_can_set_topics_policy_group: GroupSetting
  realm_can_set_delete_message_policy_group: GroupSetting
  realm_can_create_groups: GroupSetting
  realm_can_manage_all_groups: GroupSetting
  realm_enable_spectator_access: boolean
  server_web_public_streams_enabled: boolean
  server_inline_url_embed_preview: boolean
  settings_send_digest_emails: boolean
  realm_message_retention_days: number
  realm_new_stream_announcements_stream_id: number
  max_stream_name_length: number
  max_stream_description_length: number
  server_supported_permission_settings: { stream: Record<string, { allow_everyone_group: boolean }> }
  custom_profile_fields: ProfileField[]
  alert_words: string[]
  onboarding_steps: { name: string }[]
  realm_name_changes_disabled: boolean
  realm_avatar_changes_disabled: boolean
  realm_email_changes_disabled: boolean
  realm_emoji: Record<string, CustomEmoji>
  realm_presence_disabled: boolean
  realm_users: User[]
  realm_non_active_users: User[]
  cross_realm_bots: User[]
  realm_user_groups: UserGroup[]
  subscriptions: Channel[]
  unsubscribed: Channel[]
  never_subscribed: Channel[]
  channel_folders: Folder[]
  unread_msgs: UnreadMessages
  recent_private_conversations: { max_message_id: number; user_ids: number[] }[]
  starred_messages: number[]
  user_topics: { stream_id: number; topic_name: string; visibility_policy: number; last_updated: number }[]
  muted_users: { id: number; timestamp: number }[]
  user_settings: UserSettings
  user_status: Record<string, UserStatus>
  presences: Record<string, { active_timestamp: number; idle_timestamp: number }>
  presence_last_update_id: number
  server_presence_ping_interval_seconds: number
  server_presence_offline_threshold_seconds: number
  server_emoji_data_url: string
  server_typing_started_expiry_period_milliseconds: number
  server_typing_started_wait_period_milliseconds: number
  server_typing_stopped_wait_period_milliseconds: number
  drafts: ServerDraft[]
  saved_snippets: SavedSnippet[]
  scheduled_messages: ScheduledMessage[]
  reminders: Reminder[]
  has_zoom_token: boolean
  realm_direct_message_permission_group: GroupSetting
  realm_can_mention_many_users_group: GroupSetting
  realm_linkifiers: { id: number; pattern: string; url_template: string }[]
  realm_playgrounds: { id: number; name: string; pygments_language: string; url_template: string }[]
  zulip_version: string
}

export type User = {
  user_id: number
  email: string
  delivery_email: string | null
  full_name: string
  avatar_url: string | null
  avatar_version: number
  is_bot: boolean
  is_guest: boolean
  role: number
  timezone: string
  profile_data?: Record<string, { value: string; rendered_value?: string }>
  bot_owner_id?: number | null
  bot_type?: number | null
}

/** The holders of a permission: a group by its id, or users and groups. */
export type GroupSetting = number | { direct_members: number[]; direct_subgroups: number[] }

export type UserGroup = {
  id: number
  name: string
  description: string
  is_system_group: boolean
  members: number[]
  direct_subgroup_ids: number[]
  deactivated: boolean
  creator_id: number | null
  date_created: number | null
  can_add_members_group: GroupSetting
  can_join_group: GroupSetting
  can_leave_group: GroupSetting
  can_manage_group: GroupSetting
  can_mention_group: GroupSetting
  can_remove_members_group: GroupSetting
}

export type Channel = {
  stream_id: number
  name: string
  description: string
  rendered_description: string
  invite_only: boolean
  is_web_public: boolean
  is_archived: boolean
  folder_id: number | null
  first_message_id: number | null
  subscriber_count?: number
  topics_policy: string
  is_recently_active: boolean
  history_public_to_subscribers: boolean
  /** In days; -1 without a limit, null as the organization has it. */
  message_retention_days: number | null
  can_administer_channel_group: GroupSetting
  can_add_subscribers_group: GroupSetting
  can_remove_subscribers_group: GroupSetting
  can_subscribe_group: GroupSetting
  can_delete_any_message_group: GroupSetting
  can_delete_own_message_group: GroupSetting
  can_move_messages_within_channel_group: GroupSetting
  can_move_messages_out_of_channel_group: GroupSetting
  can_resolve_topics_group: GroupSetting
  can_send_message_group: GroupSetting
  // Only of subscribed channels:
  color?: string
  pin_to_top?: boolean
  is_muted?: boolean
  desktop_notifications?: boolean | null
  audible_notifications?: boolean | null
  push_notifications?: boolean | null
  email_notifications?: boolean | null
  wildcard_mentions_notify?: boolean | null
}

export type SavedSnippet = { id: number; title: string; content: string; date_created: number }

export type ScheduledMessage = {
  scheduled_message_id: number
  type: 'stream' | 'private'
  to: number | number[]
  topic?: string
  content: string
  rendered_content: string
  scheduled_delivery_timestamp: number
  failed: boolean
}

export type Reminder = {
  reminder_id: number
  rendered_content: string
  scheduled_delivery_timestamp: number
  failed: boolean
  reminder_target_message_id: number
}

type UnreadMessages = {
  count: number
  pms: { other_user_id: number; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  mentions: number[]
  old_unreads_missing: boolean
}

type UserStatus = {
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
}

export type CustomEmoji = {
  id: string
  name: string
  author_id: number | null
  source_url: string
  still_url: string | null
  deactivated: boolean
}

type UserSettings = {
  color_scheme: number
  web_font_size_px: number
  web_line_height_percent: number
  twenty_four_hour_time: boolean | null
  enter_sends: boolean
  web_mark_read_on_scroll_policy: number
  default_language: string
  enable_desktop_notifications: boolean
  enable_sounds: boolean
  enable_stream_desktop_notifications: boolean
  send_private_typing_notifications: boolean
  send_stream_typing_notifications: boolean
  presence_enabled: boolean
  emojiset: string
  web_home_view: string
  [name: string]: unknown
}
