import type { Fields, Section } from '../section.ts'

/** What this server has none of: nobody can make any, so that there is nothing to tell. By fetch event type. */
const empty: Record<string, Fields> = {
  alert_words: { alert_words: [] },
  channel_folders: { channel_folders: [] },
  default_stream_groups: { realm_default_stream_groups: [] },
  drafts: { drafts: [] },
  giphy: { giphy_api_key: '' },
  muted_users: { muted_users: [] },
  navigation_views: { navigation_views: [] },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  push_device: { push_devices: {} },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_bot: { realm_bots: [] },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_emoji: { realm_emoji: {} },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  realm_linkifiers: { realm_linkifiers: [] },
  realm_playgrounds: { realm_playgrounds: [] },
  reminders: { reminders: [] },
  saved_snippets: { saved_snippets: [] },
  scheduled_messages: { scheduled_messages: [] },
  stop_words: { stop_words: [] },
  user_status: { user_status: {} },
  video_calls: { has_zoom_token: false },
}

/** The kinds of custom profile field that clients know, by the names of their constants. */
const customProfileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
}

export const emptySections: Section[] = [
  ...Object.entries(empty).map(([type, fields]): Section => ({ asked: [type], fields: () => fields })),
  {
    asked: ['custom_profile_fields'],
    fields: () => ({ custom_profile_fields: [], custom_profile_field_types: customProfileFieldTypes }),
  },
  {
    asked: ['presence'],
    fields: ({ site }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: site.clock() }),
  },
]
