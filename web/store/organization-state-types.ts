import type { GroupSetting } from './server-state-types.ts'

/** The fields of the answer of POST /register that the settings of the organization read, in their wire form. */
export type OrganizationState = {
  is_owner: boolean
  realm_description: string
  realm_icon_source: string
  realm_logo_url: string
  realm_logo_source: string
  realm_night_logo_url: string
  realm_night_logo_source: string
  max_icon_file_size_mib: number
  max_logo_file_size_mib: number
  max_channel_folder_name_length: number
  max_channel_folder_description_length: number
  realm_upload_quota_mib: number | null
  realm_authentication_methods: Record<string, { enabled: boolean; available: boolean }>
  realm_available_video_chat_providers: Record<string, { id: number; name: string }>
  realm_video_chat_provider: number
  realm_jitsi_server_url: string | null
  server_jitsi_server_url: string | null
  realm_emails_restricted_to_domains: boolean
  realm_invite_required: boolean
  realm_domains: Domain[]
  realm_default_streams: number[]
  realm_default_stream_groups: DefaultChannelGroup[]
  realm_default_external_accounts: Record<string, { name: string; text: string; url_pattern: string }>
  realm_can_invite_users_group: GroupSetting
  realm_create_multiuse_invite_group: GroupSetting
  realm_can_add_custom_emoji_group: GroupSetting
  realm_bots: OwnBot[]
  realm_user_settings_defaults: Record<string, unknown>
}

type Domain = { domain: string; allow_subdomains: boolean }

export type DefaultChannelGroup = { id: number; name: string; description: string; streams: number[] }

export type Folder = { id: number; name: string; description: string; is_archived: boolean }

export type ProfileField = {
  id: number
  name: string
  hint: string
  type: number
  order: number
  field_data: string
  display_in_profile_summary?: boolean
  required: boolean
  editable_by_user: boolean
}

export type OwnBot = {
  user_id: number
  email: string
  full_name: string
  bot_type: number
  is_active: boolean
  /** Empty if the user may not read it; missing in the state of the last visit, which holds no secrets. */
  api_key?: string
  owner_id: number | null
  default_sending_stream: string | null
  default_events_register_stream: string | null
  services: { base_url?: string }[]
}
