import { Show } from 'solid-js'
import { channelOf } from '../../../store/channels.ts'
import { field } from '../../../store/server-state.ts'
import { SettingsTable } from '../parts/settings-table.tsx'
import { Reports } from './reports.tsx'
import { reportsTable } from './tables/general.ts'

/** Edits where reports go, and lists them for users who can read the channel of the moderators. */
export function Reporting() {
  return (
    <>
      <SettingsTable screen={reportsTable} />
      <Show when={channelOf(field('realm_moderation_request_channel_id'))}>
        <Reports />
      </Show>
    </>
  )
}
