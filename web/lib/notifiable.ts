/** How the user is told of a message by this client: by a desktop notification, or by a sound. */
export type Way = 'desktop' | 'sound'

/** The settings that decide about each, as the API names them. */
const keys = {
  desktop: {
    direct: 'enable_desktop_notifications',
    channel: 'enable_stream_desktop_notifications',
    followed: 'enable_followed_topic_desktop_notifications',
  },
  sound: {
    direct: 'enable_sounds',
    channel: 'enable_stream_audible_notifications',
    followed: 'enable_followed_topic_audible_notifications',
  },
} as const

type Facts = {
  isDirect: boolean
  flags: string[]
  isOwn: boolean
  isMuted: boolean
  isFollowed: boolean
  /** The user's choice for the channel; null or undefined leaves it to the general setting. */
  channelSetting: boolean | null | undefined
}

/** Whether a new message calls for a desktop notification or a sound, by the user's settings. */
export function isNotifiable(way: Way, facts: Facts, settings: Record<string, unknown>): boolean {
  if (facts.isOwn || facts.flags.includes('read')) return false
  const { direct, channel, followed } = keys[way]
  const isEnabled = settings[direct] === true
  if (facts.isDirect || facts.flags.includes('mentioned')) return isEnabled
  if (facts.isMuted) return false
  if (facts.flags.some((flag) => flag.endsWith('wildcard_mentioned'))) {
    return isEnabled && settings.wildcard_mentions_notify !== false
  }
  if (facts.flags.includes('has_alert_word')) return isEnabled
  if (facts.isFollowed && settings[followed] === true) return true
  return facts.channelSetting ?? settings[channel] === true
}
