import { type ClientState, leavesState } from '../queues/client-state.ts'
import { applyRealmBot } from './bots/bots/realm_bot.apply.ts'
import { applyChannelFolder } from './channels/channel-folders/channel_folder.apply.ts'
import { applyDefaultStreamGroups } from './channels/default-channel-groups/default_stream_groups.apply.ts'
import { applyDefaultStreams } from './channels/kernel/channels/default_streams.apply.ts'
import { applyStream } from './channels/kernel/channels/stream.apply.ts'
import { applySubscription } from './channels/kernel/subscriptions/subscription.apply.ts'
import { applyHasZoomToken } from './clients/kernel/calls/has_zoom_token.apply.ts'
import { applyNavigationView } from './clients/navigation/navigation_view.apply.ts'
import { applyOnboardingSteps } from './clients/onboarding/onboarding_steps.apply.ts'
import { applyDeleteMessage } from './kernel/editing/delete_message.apply.ts'
import { applyUpdateMessage } from './kernel/editing/update_message.apply.ts'
import { applyUpdateMessageFlags } from './kernel/flags/update_message_flags.apply.ts'
import { applyMessage } from './kernel/messages/message.apply.ts'
import { applyPushDevice } from './kernel/push/push_device.apply.ts'
import { applyMutedTopics } from './kernel/topics/muted_topics.apply.ts'
import { applyUserTopic } from './kernel/topics/user_topic.apply.ts'
import { applyDrafts } from './messages/drafts/drafts.apply.ts'
import { applyMutedUsers } from './messages/muted-users/muted_users.apply.ts'
import { applyReminders } from './messages/reminders/reminders.apply.ts'
import { applyScheduledMessages } from './messages/scheduled/scheduled_messages.apply.ts'
import { applySavedSnippets } from './messages/snippets/saved_snippets.apply.ts'
import { applyRealmDomains } from './organization/domains/realm_domains.apply.ts'
import { applyRealmEmoji } from './organization/emoji/realm_emoji.apply.ts'
import { applyRealm } from './organization/kernel/settings/realm.apply.ts'
import { applyRealmLinkifiers } from './organization/linkifiers/realm_linkifiers.apply.ts'
import { applyRealmPlaygrounds } from './organization/playgrounds/realm_playgrounds.apply.ts'
import { applyRealmUserSettingsDefaults } from './organization/settings/realm_user_settings_defaults.apply.ts'
import { applyAlertWords } from './people/alert-words/alert_words.apply.ts'
import { applyUserGroup } from './people/groups/user_group.apply.ts'
import { applyPresence } from './people/kernel/presence/presence.apply.ts'
import { applyRealmUser } from './people/kernel/users/realm_user.apply.ts'
import { applyUpdateDisplaySettings } from './people/kernel/users/update_display_settings.apply.ts'
import { applyUpdateGlobalNotifications } from './people/kernel/users/update_global_notifications.apply.ts'
import { applyUserSettings } from './people/kernel/users/user_settings.apply.ts'
import { applyCustomProfileFields } from './people/profile-fields/custom_profile_fields.apply.ts'
import { applyUserStatus } from './people/status/user_status.apply.ts'

// Clients import this file, so it reaches nothing of Node and nothing of the server.

/** The function of each event type that applies its events to a client's state. */
const applies: Record<string, (state: ClientState, event: never) => void> = {
  alert_words: applyAlertWords,
  attachment: leavesState,
  channel_folder: applyChannelFolder,
  custom_profile_fields: applyCustomProfileFields,
  default_stream_groups: applyDefaultStreamGroups,
  default_streams: applyDefaultStreams,
  delete_message: applyDeleteMessage,
  drafts: applyDrafts,
  has_zoom_token: applyHasZoomToken,
  invites_changed: leavesState,
  message: applyMessage,
  muted_topics: applyMutedTopics,
  muted_users: applyMutedUsers,
  navigation_view: applyNavigationView,
  onboarding_steps: applyOnboardingSteps,
  presence: applyPresence,
  push_device: applyPushDevice,
  reaction: leavesState,
  realm: applyRealm,
  realm_bot: applyRealmBot,
  realm_domains: applyRealmDomains,
  realm_emoji: applyRealmEmoji,
  realm_export: leavesState,
  realm_export_consent: leavesState,
  realm_filters: leavesState,
  realm_linkifiers: applyRealmLinkifiers,
  realm_playgrounds: applyRealmPlaygrounds,
  realm_user: applyRealmUser,
  realm_user_settings_defaults: applyRealmUserSettingsDefaults,
  reminders: applyReminders,
  saved_snippets: applySavedSnippets,
  scheduled_messages: applyScheduledMessages,
  stream: applyStream,
  submessage: leavesState,
  subscription: applySubscription,
  typing: leavesState,
  typing_edit_message: leavesState,
  update_display_settings: applyUpdateDisplaySettings,
  update_global_notifications: applyUpdateGlobalNotifications,
  update_message: applyUpdateMessage,
  update_message_flags: applyUpdateMessageFlags,
  user_group: applyUserGroup,
  user_settings: applyUserSettings,
  user_status: applyUserStatus,
  user_topic: applyUserTopic,
}

/**
 * Carries a client's state (the response of POST /register, by name of its fields) forward by an event from its queue.
 * Returns false if the type of the event is unknown; the state is unchanged then.
 */
export function applyEvent(state: ClientState, event: { type: string }): boolean {
  const apply = applyOf(event.type)
  apply?.(state, event as never)
  return apply !== undefined
}

export function applyOf(type: string) {
  return Object.hasOwn(applies, type) ? applies[type] : undefined
}
