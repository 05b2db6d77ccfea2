import type { Option, Read, Screen, SwitchSpec } from '../parts/declare.ts'

/**
 * The kinds of notifications, and the ways by which they come. Each row has a switch for each column, or none where the API has
 * none.
 */
export const notificationMatrix = {
  columns: ['notifications.desktop', 'notifications.sound', 'notifications.push', 'notifications.email'],
  rows: [
    {
      text: 'notifications.directs',
      keys: [
        'enable_desktop_notifications',
        'enable_sounds',
        'enable_offline_push_notifications',
        'enable_offline_email_notifications',
      ],
    },
    {
      text: 'notifications.followed',
      keys: [
        'enable_followed_topic_desktop_notifications',
        'enable_followed_topic_audible_notifications',
        'enable_followed_topic_push_notifications',
        'enable_followed_topic_email_notifications',
      ],
    },
    {
      text: 'notifications.channels',
      keys: [
        'enable_stream_desktop_notifications',
        'enable_stream_audible_notifications',
        'enable_stream_push_notifications',
        'enable_stream_email_notifications',
      ],
    },
  ],
} as const

/** The switches of the matrix. The text of each is found by its key. */
const matrixSwitches = notificationMatrix.rows.flatMap(({ keys }) =>
  keys.map((key): SwitchSpec => ({ key, kind: 'switch', text: `notify.${key}` })),
)

/** The sounds that the server names, and silence. */
function sounds(read: Read): Option[] {
  const names: string[] = read('user_settings')?.available_notification_sounds ?? []
  const options = names.map((value) => ({ value, name: nameOf(value) }))
  return [{ value: 'none', text: 'notify.sound_none' }, ...options]
}

/** The name of a sound: "Beep boop" for beep_boop. */
const nameOf = (sound: string) => (sound.charAt(0).toUpperCase() + sound.slice(1)).replaceAll('_', ' ')

/** The settings that say which of the user's messages and channels call for them. */
export const notifications: Screen = {
  scope: 'user',
  groups: [
    {
      title: 'notifications.what',
      note: 'notifications.what_note',
      isMatrix: true,
      settings: matrixSwitches,
    },
    {
      title: 'notifications.sounds',
      settings: [
        {
          key: 'notification_sound',
          kind: 'choice',
          text: 'notify.notification_sound',
          note: 'notify.notification_sound_note',
          options: sounds,
        },
      ],
    },
    {
      title: 'notifications.wildcard',
      settings: [
        { key: 'wildcard_mentions_notify', kind: 'switch', text: 'notify.wildcard_mentions_notify' },
        {
          key: 'enable_followed_topic_wildcard_mentions_notify',
          kind: 'switch',
          text: 'notify.enable_followed_topic_wildcard_mentions_notify',
        },
      ],
    },
    {
      title: 'notifications.by_push',
      settings: [
        {
          key: 'enable_online_push_notifications',
          kind: 'switch',
          text: 'notify.enable_online_push_notifications',
        },
        {
          key: 'pm_content_in_desktop_notifications',
          kind: 'switch',
          text: 'notify.pm_content_in_desktop_notifications',
        },
      ],
    },
    {
      title: 'notifications.by_email',
      settings: [
        {
          key: 'email_notifications_batching_period_seconds',
          kind: 'duration',
          text: 'notify.email_notifications_batching_period_seconds',
          note: 'notify.batching_note',
          options: [
            { value: 120, text: 'notify.period_2' },
            { value: 300, text: 'notify.period_5' },
            { value: 600, text: 'notify.period_10' },
            { value: 1800, text: 'notify.period_30' },
            { value: 3600, text: 'notify.period_60' },
            { value: 21_600, text: 'notify.period_360' },
            { value: 86_400, text: 'notify.period_day' },
            { value: 604_800, text: 'notify.period_week' },
          ],
          custom: { factor: 60, unit: 'settings.minutes', min: 1, max: 10_080 },
        },
        {
          key: 'message_content_in_email_notifications',
          kind: 'switch',
          text: 'notify.message_content_in_email_notifications',
        },
        {
          key: 'realm_name_in_email_notifications_policy',
          kind: 'choice',
          text: 'notify.realm_name_in_email_notifications_policy',
          options: [
            { value: 1, text: 'notify.realm_name_automatic' },
            { value: 2, text: 'settings.always' },
            { value: 3, text: 'settings.never' },
          ],
        },
        { key: 'enable_login_emails', kind: 'switch', text: 'notify.enable_login_emails' },
        { key: 'enable_digest_emails', kind: 'switch', text: 'notify.enable_digest_emails' },
      ],
    },
  ],
}
