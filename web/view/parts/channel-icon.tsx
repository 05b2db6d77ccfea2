import type { Channel } from '../../store/server-state-types.ts'
import { Icon, type IconName } from './icon.tsx'

/** Shows the kind of a channel. Its color tints the icon alone, so that contrast never depends on it. */
export function ChannelIcon(props: { channel: Channel | undefined }) {
  const name = (): IconName =>
    props.channel?.invite_only ? 'lock' : props.channel?.is_web_public ? 'globe' : 'hash'
  return (
    <span class="channel-icon" style={{ '--channel': props.channel?.color ?? 'currentColor' }}>
      <Icon name={name()} />
    </span>
  )
}
