import { laterWithTexts } from '../parts/dialog.tsx'
import type { SettingsTab } from './settings-path.ts'

/** Opens the settings of a channel, whose code is loaded with the first of them. */
export function openChannelSettings(channelId: number, tab?: SettingsTab) {
  laterWithTexts(
    () => import('./channel-settings.tsx'),
    ({ ChannelSettings }, close) => ChannelSettings({ channelId, close, ...(tab && { tab }) }),
  )
}

export function openNewChannel() {
  laterWithTexts(
    () => import('./new-channel.tsx'),
    ({ NewChannel }, close) => NewChannel({ close }),
  )
}
