import { httpLimits } from '../../../../http/limits.ts'
import { loginLimits } from '../../../accounts/kernel/login/limits.ts'
import { folderLimits } from '../../../channels/channel-folders/limits.ts'
import { subscriptionLimits } from '../../../channels/subscriptions/limits.ts'
import { channelLimits } from '../../../kernel/channels/limits.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'
import { thumbnailFormats } from '../../../messages/kernel/uploads/thumbnails.ts'
import { typingLimits } from '../../../messages/typing/limits.ts'
import { uploadLimits } from '../../../messages/uploads/limits.ts'
import { emojiNames } from '../../../organization/emoji/emoji-names.ts'
import { organizationPictureLimits } from '../../../organization/organization-pictures/limits.ts'
import { realmLimits } from '../../../organization/settings/limits.ts'
import { avatarLimits } from '../../../people/avatars/limits.ts'
import { presenceLimits } from '../../../people/kernel/presence/limits.ts'
import type { Registration } from '../section.ts'

/** Returns the server's properties and capabilities, independent of the organization. */
export function serverFields({ site, adapters }: Pick<Registration, 'site' | 'adapters'>, url: string) {
  return {
    server_generation: site.startedAt,
    server_emoji_data_url: url + emojiNames.path,
    server_needs_upgrade: false,
    server_web_public_streams_enabled: site.webPublicChannels,
    server_inline_image_preview: true,
    server_inline_url_embed_preview: site.linkPreviews,
    server_thumbnail_formats: thumbnailFormats,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_can_summarize_topics: false,
    settings_send_digest_emails: adapters.mail !== undefined,
    development_environment: false,
    realm_available_video_chat_providers: {
      disabled: { name: 'None', id: 0 },
      jitsi_meet: { name: 'Jitsi Meet', id: 1 },
      ...(adapters.zoom && { zoom: { name: 'Zoom', id: 3 } }),
      ...(adapters.bigBlueButton && { big_blue_button: { name: 'BigBlueButton', id: 4 } }),
    },
    giphy_rating_options: giphyRatings,
  }
}

const giphyRatings = {
  disabled: { name: 'No GIFs', id: 0 },
  y: { name: 'Rated Y (for small children)', id: 1 },
  g: { name: 'Rated G (for everybody)', id: 2 },
  pg: { name: 'Rated PG (with parental guidance)', id: 3 },
  'pg-13': { name: 'Rated PG-13 (with parental guidance under 13)', id: 4 },
  r: { name: 'Rated R (for adults)', id: 5 },
}

/** Time, size and rate limits that clients use. */
export const clientLimits = {
  max_message_length: messageLimits.messageLength,
  max_topic_length: messageLimits.topicLength,
  max_stream_name_length: channelLimits.channelNameLength,
  max_stream_description_length: channelLimits.channelDescriptionLength,
  max_channel_folder_name_length: folderLimits.channelFolderNameLength,
  max_channel_folder_description_length: folderLimits.channelFolderDescriptionLength,
  max_bulk_new_subscription_messages: subscriptionLimits.bulkNewSubscriptionMessages,
  max_file_upload_size_mib: uploadLimits.uploadMib,
  max_avatar_file_size_mib: avatarLimits.avatarMib,
  max_icon_file_size_mib: organizationPictureLimits.iconMib,
  max_logo_file_size_mib: organizationPictureLimits.logoMib,
  password_min_length: loginLimits.passwordMinLength,
  password_max_length: loginLimits.passwordLength,
  password_min_guesses: loginLimits.passwordMinGuesses,
  event_queue_longpoll_timeout_seconds: httpLimits.clientLongPollSeconds,
  server_presence_ping_interval_seconds: presenceLimits.presencePingSeconds,
  server_presence_offline_threshold_seconds: presenceLimits.presenceOfflineSeconds,
  server_typing_started_expiry_period_milliseconds: typingLimits.typingExpirySeconds * 1000,
  server_typing_started_wait_period_milliseconds: typingLimits.typingRepeatSeconds * 1000,
  server_typing_stopped_wait_period_milliseconds: typingLimits.typingStoppedSeconds * 1000,
  server_min_deactivated_realm_deletion_days: realmLimits.realmDeletionMinDays,
  server_max_deactivated_realm_deletion_days: null,
}
