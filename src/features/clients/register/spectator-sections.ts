import type { ChannelRow } from '../../../db/schema.ts'
import { firstIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { folderView } from '../../channels/channel-folders/folder-view.ts'
import { channelsByName, channelView } from '../../channels/kernel/channels/channel-view.ts'
import { palette } from '../../channels/subscriptions/colors.ts'
import { isOpenToSpectators } from '../../kernel/channels/web-public.ts'
import { crossRealmBots } from '../../kernel/users/user-view.ts'
import { groupView } from '../../people/groups/group-view.ts'
import { prepareSpectatorUsers, spectatorUsers } from './fields/spectator-users.ts'
import type { RegisterFields, Registration, Section } from './section.ts'

/** Sections that contain only data that the organization shows to anyone, by the name that a client requests. */
const open = [
  'giphy',
  'realm_embedded_bots',
  'realm_emoji',
  'realm_filters',
  'realm_incoming_webhook_bots',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user_settings_defaults',
  'stop_words',
  'update_display_settings',
  'update_global_notifications',
  'user_settings',
]

/** Per-user fields, empty for spectators. */
const emptySections: Record<string, RegisterFields> = {
  alert_words: { alert_words: [] },
  custom_profile_fields: { custom_profile_fields: [], custom_profile_field_types: {} },
  default_stream_groups: { realm_default_stream_groups: [] },
  default_streams: { realm_default_streams: [] },
  drafts: { drafts: [] },
  message: { max_message_id: -1 },
  muted_topics: { muted_topics: [] },
  muted_users: { muted_users: [] },
  navigation_views: { navigation_views: [] },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  push_device: { push_devices: {} },
  realm_bot: { realm_bots: [] },
  realm_domains: { realm_domains: [] },
  recent_private_conversations: { recent_private_conversations: [] },
  reminders: { reminders: [] },
  saved_snippets: { saved_snippets: [] },
  scheduled_messages: { scheduled_messages: [] },
  starred_messages: { starred_messages: [] },
  user_status: { user_status: {} },
  user_topic: { user_topics: [] },
  video_calls: { has_zoom_token: false },
}

/**
 * Returns the sections for spectators of an organization with web-public channels. A section that is in none of these
 * lists is left out. `all`: the sections for logged-in users.
 */
export function sectionsForSpectators(all: Section[]): Section[] {
  return [
    ...all.filter(({ asked }) => asked.length === 1 && open.includes(firstIn(asked))),
    ...all.filter(({ asked }) => asked.join() === 'realm').map(withoutChannels),
    ...Object.entries(emptySections).map(
      ([name, fields]): Section => ({ asked: [name], fields: () => fields }),
    ),
    { asked: ['realm_user'], prepare: prepareSpectatorUsers, fields: people },
    { asked: ['realm_user_groups'], fields: systemGroups },
    { asked: ['message', 'update_message_flags'], fields: () => ({ unread_msgs: nothingUnread }) },
    { asked: ['presence'], fields: ({ site }) => ({ presences: {}, server_timestamp: site.clock() }) },
    { asked: ['stream'], fields: streams },
    { asked: ['subscription'], fields: subscriptions },
    { asked: ['channel_folders'], fields: folders },
  ]
}

/** Spectators have read everything. */
const nothingUnread = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  old_unreads_missing: false,
}

/** Removes settings that refer to channels, since spectators must not learn of those channels. */
function withoutChannels(realmSection: Section): Section {
  const fields = (registration: Registration) => {
    const all = realmSection.fields(registration, undefined)
    const ofChannels = Object.keys(all).filter((name) => /_(stream|channel)_id$/.test(name))
    return { ...all, ...Object.fromEntries(ofChannels.map((name) => [name, -1])) }
  }
  return { asked: realmSection.asked, fields }
}

const noPermissions = {
  is_owner: false,
  is_admin: false,
  is_moderator: false,
  is_guest: true,
  can_create_streams: false,
  can_create_public_streams: false,
  can_create_private_streams: false,
  can_create_web_public_streams: false,
  can_invite_others_to_realm: false,
}

function people(registration: Registration) {
  const { realm, site, me } = registration
  return {
    ...noPermissions,
    full_name: me.full_name,
    cross_realm_bots: crossRealmBots(realm, site),
    realm_users: spectatorUsers(registration, true),
    realm_non_active_users: spectatorUsers(registration, false),
  }
}

/** Returns the groups that settings refer to, without their members. */
function systemGroups({ realm }: Registration) {
  const system = [...realm.groups.values()].filter((group) => group.is_system_group)
  const views = system.sort((a, b) => a.id - b.id).map((group) => groupView(realm, group))
  return { realm_user_groups: views.map((view) => ({ ...view, members: [] })) }
}

function streams({ realm }: Registration) {
  return { streams: webPublicChannels(realm).map((channel) => channelView(realm, channel)) }
}

/** Returns the channels as if spectators were subscribed to all channels that they can read. */
function subscriptions({ realm }: Registration) {
  const own = {
    color: palette[0],
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: true,
    audible_notifications: true,
    push_notifications: true,
    email_notifications: true,
    wildcard_mentions_notify: true,
  }
  const views = webPublicChannels(realm).map((channel) => ({ ...channelView(realm, channel), ...own }))
  return { subscriptions: views, unsubscribed: [], never_subscribed: [] }
}

function folders({ realm }: Registration) {
  const used = new Set(webPublicChannels(realm).map((channel) => channel.folder_id))
  const shown = [...realm.channelFolders.values()].filter((folder) => used.has(folder.id))
  return { channel_folders: shown.map(folderView).sort((a, b) => a.id - b.id) }
}

function webPublicChannels(realm: RealmState): ChannelRow[] {
  return channelsByName(realm).filter((channel) => isOpenToSpectators(realm, channel))
}
