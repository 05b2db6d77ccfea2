import type { Document } from '../http/document.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { JobHandler } from '../jobs/job.ts'
import { EventTypes } from '../queues/event-type.ts'
import { addAlertWords } from './alert-words/add-alert-words.ts'
import { alertWordsEvent } from './alert-words/alert_words.event.ts'
import { getAlertWords } from './alert-words/get-alert-words.ts'
import { removeAlertWords } from './alert-words/remove-alert-words.ts'
import { channelFolderEvent } from './channel-folders/channel_folder.event.ts'
import { createChannelFolder } from './channel-folders/create-channel-folder.ts'
import { getChannelFolders } from './channel-folders/get-channel-folders.ts'
import { updateChannelFolder } from './channel-folders/update-channel-folder.ts'
import { addDefaultChannel } from './channels/add-default-channel.ts'
import { archiveChannel } from './channels/archive-channel.ts'
import { defaultStreamsEvent } from './channels/default_streams.event.ts'
import { getChannel } from './channels/get-channel.ts'
import { getChannelEmailAddress } from './channels/get-channel-email-address.ts'
import { getChannelId } from './channels/get-channel-id.ts'
import { getChannels } from './channels/get-channels.ts'
import { removeDefaultChannel } from './channels/remove-default-channel.ts'
import { streamEvent } from './channels/stream.event.ts'
import { updateChannel } from './channels/update-channel.ts'
import { createDefaultGroup } from './default-channel-groups/create-default-group.ts'
import { defaultStreamGroupsEvent } from './default-channel-groups/default_stream_groups.event.ts'
import { deleteDefaultGroup } from './default-channel-groups/delete-default-group.ts'
import { updateDefaultGroup } from './default-channel-groups/update-default-group.ts'
import { updateDefaultGroupChannels } from './default-channel-groups/update-default-group-channels.ts'
import { createDrafts } from './drafts/create-drafts.ts'
import { deleteDraft } from './drafts/delete-draft.ts'
import { draftsEvent } from './drafts/drafts.event.ts'
import { getDrafts } from './drafts/get-drafts.ts'
import { updateDraft } from './drafts/update-draft.ts'
import { deleteMessageEvent } from './editing/delete_message.event.ts'
import { deleteMessage } from './editing/delete-message.ts'
import { deleteTopic } from './editing/delete-topic.ts'
import { getMessageHistory } from './editing/get-message-history.ts'
import { getReadReceipts } from './editing/get-read-receipts.ts'
import { updateMessageEvent } from './editing/update_message.event.ts'
import { updateMessage } from './editing/update-message.ts'
import { emojiNames } from './emoji/emoji-names.ts'
import { deleteQueue } from './events/delete-queue.ts'
import { getEvents } from './events/get-events.ts'
import { markAllAsRead } from './flags/mark-all-as-read.ts'
import { markChannelAsRead } from './flags/mark-channel-as-read.ts'
import { markTopicAsRead } from './flags/mark-topic-as-read.ts'
import { updateMessageFlagsEvent } from './flags/update_message_flags.event.ts'
import { updateFlagsForNarrow } from './flags/update-flags-for-narrow.ts'
import { updateMessageFlags } from './flags/update-message-flags.ts'
import { createGroup } from './groups/create-group.ts'
import { deactivateGroup } from './groups/deactivate-group.ts'
import { getGroupMembers } from './groups/get-group-members.ts'
import { getGroupMembership } from './groups/get-group-membership.ts'
import { getGroupSubgroups } from './groups/get-group-subgroups.ts'
import { getGroups } from './groups/get-groups.ts'
import { updateGroup } from './groups/update-group.ts'
import { updateGroupMembers } from './groups/update-group-members.ts'
import { updateGroupSubgroups } from './groups/update-group-subgroups.ts'
import { userGroupEvent } from './groups/user_group.event.ts'
import { fetchApiKey } from './login/fetch-api-key.ts'
import { regenerateApiKey } from './login/regenerate-api-key.ts'
import { getMessage } from './messages/get-message.ts'
import { getMessages } from './messages/get-messages.ts'
import { messageEvent } from './messages/message.event.ts'
import { sendMessage } from './messages/send-message.ts'
import { muteUser } from './muted-users/mute-user.ts'
import { mutedUsersEvent } from './muted-users/muted_users.event.ts'
import { unmuteUser } from './muted-users/unmute-user.ts'
import { addNavigationView } from './navigation/add-navigation-view.ts'
import { getNavigationViews } from './navigation/get-navigation-views.ts'
import { navigationViewEvent } from './navigation/navigation_view.event.ts'
import { removeNavigationView } from './navigation/remove-navigation-view.ts'
import { updateNavigationView } from './navigation/update-navigation-view.ts'
import { markOnboardingStep } from './onboarding/mark-step.ts'
import { onboardingStepsEvent } from './onboarding/onboarding_steps.event.ts'
import { getOpenApi } from './openapi/get-openapi.ts'
import { getPresences } from './presence/get-presences.ts'
import { getUserPresence } from './presence/get-user-presence.ts'
import { presenceEvent } from './presence/presence.event.ts'
import { reportPresence } from './presence/report-presence.ts'
import { createProfileField } from './profile-fields/create-field.ts'
import { customProfileFieldsEvent } from './profile-fields/custom_profile_fields.event.ts'
import { deleteProfileField } from './profile-fields/delete-field.ts'
import { getProfileFields } from './profile-fields/get-fields.ts'
import { removeOwnProfileData } from './profile-fields/remove-own-values.ts'
import { reorderProfileFields } from './profile-fields/reorder-fields.ts'
import { setOwnProfileData } from './profile-fields/set-own-values.ts'
import { updateProfileField } from './profile-fields/update-field.ts'
import { addReaction } from './reactions/add-reaction.ts'
import { reactionEvent } from './reactions/reaction.event.ts'
import { removeReaction } from './reactions/remove-reaction.ts'
import { deactivateRealm } from './realm/deactivate-realm.ts'
import { realmEvent } from './realm/realm.event.ts'
import { realmUserSettingsDefaultsEvent } from './realm/realm_user_settings_defaults.event.ts'
import { updateRealm } from './realm/update-realm.ts'
import { updateUserSettingsDefaults } from './realm/update-user-settings-defaults.ts'
import { registerQueue } from './register/register-queue.ts'
import { createReminder } from './reminders/create-reminder.ts'
import { deleteReminder } from './reminders/delete-reminder.ts'
import { getReminders } from './reminders/get-reminders.ts'
import { reminding } from './reminders/remind.ts'
import { remindersEvent } from './reminders/reminders.event.ts'
import { createScheduled } from './scheduled/create-scheduled.ts'
import { deleteScheduled } from './scheduled/delete-scheduled.ts'
import { scheduledDelivery } from './scheduled/deliver-scheduled.ts'
import { getScheduled } from './scheduled/get-scheduled.ts'
import { scheduledMessagesEvent } from './scheduled/scheduled_messages.event.ts'
import { updateScheduled } from './scheduled/update-scheduled.ts'
import { getServerSettings } from './server-settings/get-server-settings.ts'
import { createSnippet } from './snippets/create-snippet.ts'
import { deleteSnippet } from './snippets/delete-snippet.ts'
import { getSnippets } from './snippets/get-snippets.ts'
import { savedSnippetsEvent } from './snippets/saved_snippets.event.ts'
import { updateSnippet } from './snippets/update-snippet.ts'
import { getUserStatus } from './status/get-user-status.ts'
import { setOwnStatus } from './status/set-own-status.ts'
import { setUserStatus } from './status/set-user-status.ts'
import { userStatusEvent } from './status/user_status.event.ts'
import { getSubscribers } from './subscriptions/get-subscribers.ts'
import { getSubscriptionStatus } from './subscriptions/get-subscription-status.ts'
import { getSubscriptions } from './subscriptions/get-subscriptions.ts'
import { subscribe } from './subscriptions/subscribe.ts'
import { subscriptionEvent } from './subscriptions/subscription.event.ts'
import { unsubscribe } from './subscriptions/unsubscribe.ts'
import { updateSubscriptionProperties } from './subscriptions/update-subscription-properties.ts'
import { updateSubscriptionProperty } from './subscriptions/update-subscription-property.ts'
import { updateSubscriptions } from './subscriptions/update-subscriptions.ts'
import { getChannelTopics } from './topics/get-channel-topics.ts'
import { muteTopic } from './topics/mute-topic.ts'
import { mutedTopicsEvent } from './topics/muted_topics.event.ts'
import { setUserTopic } from './topics/set-user-topic.ts'
import { userTopicEvent } from './topics/user_topic.event.ts'
import { tellEditing } from './typing/tell-editing.ts'
import { tellTyping } from './typing/tell-typing.ts'
import { typingEvent } from './typing/typing.event.ts'
import { typingEditMessageEvent } from './typing/typing_edit_message.event.ts'
import { createUser } from './users/create-user.ts'
import { deactivateOwnUser } from './users/deactivate-own-user.ts'
import { deactivateUser } from './users/deactivate-user.ts'
import { getOwnUser } from './users/get-own-user.ts'
import { getUser } from './users/get-user.ts'
import { getUserByEmail } from './users/get-user-by-email.ts'
import { getUsers } from './users/get-users.ts'
import { reactivateUser } from './users/reactivate-user.ts'
import { realmExportConsentEvent } from './users/realm_export_consent.event.ts'
import { realmUserEvent } from './users/realm_user.event.ts'
import { systemBotAvatars } from './users/system-bot-avatars.ts'
import { updateDisplaySettingsEvent } from './users/update_display_settings.event.ts'
import { updateGlobalNotificationsEvent } from './users/update_global_notifications.event.ts'
import { updateDisplaySettings } from './users/update-display-settings.ts'
import { updateNotificationSettings } from './users/update-notification-settings.ts'
import { updateSettings } from './users/update-settings.ts'
import { updateUser } from './users/update-user.ts'
import { updateUserByEmail } from './users/update-user-by-email.ts'
import { userSettingsEvent } from './users/user_settings.event.ts'
import { addSubmessage } from './widgets/add-submessage.ts'
import { submessageEvent } from './widgets/submessage.event.ts'
import { zcommand } from './zcommand/zcommand.ts'

/** Every operation of the API. */
export const endpoints: Endpoint[] = [
  createChannelFolder,
  getChannelFolders,
  updateChannelFolder,
  addDefaultChannel,
  archiveChannel,
  getChannel,
  getChannelEmailAddress,
  getChannelId,
  getChannels,
  removeDefaultChannel,
  updateChannel,
  createDefaultGroup,
  deleteDefaultGroup,
  updateDefaultGroup,
  updateDefaultGroupChannels,
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  getReadReceipts,
  updateMessage,
  createDrafts,
  deleteDraft,
  getDrafts,
  updateDraft,
  deleteQueue,
  getEvents,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  updateFlagsForNarrow,
  updateMessageFlags,
  createGroup,
  deactivateGroup,
  getGroupMembers,
  getGroupMembership,
  getGroupSubgroups,
  updateGroup,
  updateGroupMembers,
  updateGroupSubgroups,
  getGroups,
  fetchApiKey,
  getMessage,
  getMessages,
  sendMessage,
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
  getOpenApi(() => endpoints),
  addReaction,
  removeReaction,
  registerQueue,
  createReminder,
  deleteReminder,
  getReminders,
  createScheduled,
  deleteScheduled,
  getScheduled,
  updateScheduled,
  getServerSettings,
  createSnippet,
  deleteSnippet,
  getSnippets,
  updateSnippet,
  getSubscribers,
  getSubscriptionStatus,
  getSubscriptions,
  subscribe,
  unsubscribe,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
  updateSubscriptions,
  getChannelTopics,
  muteTopic,
  setUserTopic,
  tellEditing,
  tellTyping,
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  updateUser,
  updateUserByEmail,
  addSubmessage,
  updateSettings,
  updateDisplaySettings,
  updateNotificationSettings,
  updateUserSettingsDefaults,
  reportPresence,
  getPresences,
  getUserPresence,
  updateRealm,
  deactivateRealm,
  deactivateUser,
  deactivateOwnUser,
  reactivateUser,
  setOwnStatus,
  setUserStatus,
  getUserStatus,
  createProfileField,
  getProfileFields,
  updateProfileField,
  deleteProfileField,
  reorderProfileFields,
  setOwnProfileData,
  removeOwnProfileData,
  addAlertWords,
  removeAlertWords,
  getAlertWords,
  muteUser,
  unmuteUser,
  markOnboardingStep,
  zcommand,
  regenerateApiKey,
]

/** What is served outside the API. */
export const documents: Document[] = [...systemBotAvatars, emojiNames]

/** All work that is done at some time. */
export const jobHandlers: JobHandler[] = [scheduledDelivery, reminding]

/** Every type of event. */
export function eventTypes(): EventTypes {
  const types = new EventTypes()
  types.add(
    channelFolderEvent,
    defaultStreamsEvent,
    defaultStreamGroupsEvent,
    streamEvent,
    deleteMessageEvent,
    updateMessageEvent,
    messageEvent,
    mutedTopicsEvent,
    userTopicEvent,
    updateMessageFlagsEvent,
    userGroupEvent,
    subscriptionEvent,
    realmUserEvent,
    reactionEvent,
    typingEvent,
    typingEditMessageEvent,
    draftsEvent,
    savedSnippetsEvent,
    scheduledMessagesEvent,
    remindersEvent,
    navigationViewEvent,
    submessageEvent,
    userSettingsEvent,
    updateDisplaySettingsEvent,
    updateGlobalNotificationsEvent,
    realmExportConsentEvent,
    realmUserSettingsDefaultsEvent,
    presenceEvent,
    realmEvent,
    userStatusEvent,
    customProfileFieldsEvent,
    alertWordsEvent,
    mutedUsersEvent,
    onboardingStepsEvent,
  )
  return types
}
