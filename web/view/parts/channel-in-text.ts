import { t } from '../../lib/i18n.ts'
import { channelName } from '../../store/channels.ts'

/** How a sentence names a channel, also one that the user cannot see. */
export function channelInText(id: number | undefined): string {
  const name = id === undefined ? undefined : channelName(id)
  return name === undefined ? t('channel.unknown_in_text') : `#${name}`
}
