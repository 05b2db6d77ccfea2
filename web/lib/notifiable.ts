/** The settings that decide about desktop notifications, as the API names them. */
type NotificationSettings = {
  enable_desktop_notifications?: unknown
  enable_stream_desktop_notifications?: unknown
  enable_followed_topic_desktop_notifications?: unknown
  wildcard_mentions_notify?: unknown
}

type Facts = {
  isDirect: boolean
  flags: string[]
  isOwn: boolean
  isMuted: boolean
  isFollowed: boolean
  /** The user's choice for the channel; null or undefined leaves it to the general setting. */
  channelSetting: boolean | null | undefined
}

/** Whether a new message calls for a desktop notification, by the user's settings. */
export function isNotifiable(facts: Facts, settings: NotificationSettings): boolean {
  if (facts.isOwn || facts.flags.includes('read')) return false
  const isEnabled = settings.enable_desktop_notifications === true
  if (facts.isDirect || facts.flags.includes('mentioned')) return isEnabled
  if (facts.isMuted) return false
  if (facts.flags.some((flag) => flag.endsWith('wildcard_mentioned'))) {
    return isEnabled && settings.wildcard_mentions_notify !== false
  }
  if (facts.flags.includes('has_alert_word')) return isEnabled
  if (facts.isFollowed && settings.enable_followed_topic_desktop_notifications === true) return true
  return facts.channelSetting ?? settings.enable_stream_desktop_notifications === true
}
