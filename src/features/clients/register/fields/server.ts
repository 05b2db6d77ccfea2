import { limits } from '../../../../lib/limits.ts'
import { thumbnailFormats } from '../../../messages/kernel/uploads/thumbnails.ts'
import { emojiNames } from '../../../organization/emoji/emoji-names.ts'
import type { Registration } from '../section.ts'

/** Returns the server's properties and capabilities, independent of the organization. */
export function serverFields({ site, outside }: Pick<Registration, 'site' | 'outside'>, url: string) {
  return {
    server_generation: site.startedAt,
    server_emoji_data_url: url + emojiNames.path,
    server_needs_upgrade: false,
    server_web_public_streams_enabled: site.webPublicChannels,
    server_inline_image_preview: true,
    server_inline_url_embed_preview: false,
    server_thumbnail_formats: thumbnailFormats,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_can_summarize_topics: false,
    settings_send_digest_emails: false,
    development_environment: false,
    realm_available_video_chat_providers: {
      disabled: { name: 'None', id: 0 },
      jitsi_meet: { name: 'Jitsi Meet', id: 1 },
      ...(outside.zoom && { zoom: { name: 'Zoom', id: 3 } }),
      ...(outside.bigBlueButton && { big_blue_button: { name: 'BigBlueButton', id: 4 } }),
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
  max_message_length: limits.messageLength,
  max_topic_length: limits.topicLength,
  max_stream_name_length: limits.channelNameLength,
  max_stream_description_length: limits.channelDescriptionLength,
  max_channel_folder_name_length: limits.channelFolderNameLength,
  max_channel_folder_description_length: limits.channelFolderDescriptionLength,
  max_bulk_new_subscription_messages: limits.bulkNewSubscriptionMessages,
  max_file_upload_size_mib: limits.uploadMib,
  max_avatar_file_size_mib: limits.avatarMib,
  max_icon_file_size_mib: limits.iconMib,
  max_logo_file_size_mib: limits.logoMib,
  password_min_length: limits.passwordMinLength,
  password_max_length: limits.passwordLength,
  password_min_guesses: 0,
  event_queue_longpoll_timeout_seconds: limits.clientLongPollSeconds,
  server_presence_ping_interval_seconds: limits.presencePingSeconds,
  server_presence_offline_threshold_seconds: limits.presenceOfflineSeconds,
  server_typing_started_expiry_period_milliseconds: limits.typingExpirySeconds * 1000,
  server_typing_started_wait_period_milliseconds: limits.typingRepeatSeconds * 1000,
  server_typing_stopped_wait_period_milliseconds: limits.typingStoppedSeconds * 1000,
  server_min_deactivated_realm_deletion_days: limits.realmDeletionMinDays,
  server_max_deactivated_realm_deletion_days: null,
}
