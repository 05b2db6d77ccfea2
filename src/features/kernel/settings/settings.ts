import type { RealmRow } from '../../../db/schema.ts'
import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** The organization's settings, other than permissions, with their defaults, by the names of PATCH /realm. */
export const realmSettingDefaults = {
  allow_message_editing: true,
  avatar_changes_disabled: false,
  default_code_block_language: '',
  default_language: 'en',
  description: '',
  digest_emails_enabled: false,
  digest_weekday: 1,
  disallow_disposable_email_addresses: true,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  enable_guest_user_dm_warning: true,
  enable_guest_user_indicator: true,
  enable_read_receipts: true,
  enable_spectator_access: false,
  giphy_rating: 2,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  invite_required: true,
  jitsi_server_url: null as string | null,
  message_content_allowed_in_email_notifications: true,
  message_content_delete_limit_seconds: 600 as number | null,
  message_content_edit_limit_seconds: 600 as number | null,
  message_edit_history_visibility_policy: 'all',
  message_retention_days: -1,
  move_messages_between_streams_limit_seconds: 604_800 as number | null,
  move_messages_within_stream_limit_seconds: 604_800 as number | null,
  name_changes_disabled: false,
  org_type: 0,
  presence_disabled: false,
  require_unique_names: false,
  send_welcome_emails: true,
  topics_policy: 'allow_empty_topic', // level 392
  video_chat_provider: 1,
  waiting_period_threshold: 0,
  want_advertise_in_communities_directory: false,
  // Channel ids; -1: none.
  moderation_request_channel_id: -1,
  new_stream_announcements_stream_id: -1,
  signup_announcements_stream_id: -1,
  zulip_update_announcements_stream_id: -1,
}

/** The settings that name a channel to post in. */
export const channelSettings = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const

type RealmSettings = typeof realmSettingDefaults

declare module '../../../db/values.ts' {
  interface StoredRealmSettings extends RealmSettings {}
}

/** Returns the organization's current settings. They are made once: some code asks for each user, or each message. */
export function realmSettings(realm: RealmState): Readonly<RealmSettings> {
  return withDefaults(realm.row.settings)
}

const withDefaults = memoizePer(
  (chosen: RealmRow['settings']): Readonly<RealmSettings> => ({ ...realmSettingDefaults, ...chosen }),
)
