import { Show } from 'solid-js'
import { patch } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { TextControl } from '../parts/controls.tsx'
import { Section } from '../parts/section.tsx'
import { useSetting } from '../parts/setting.tsx'
import { SettingsTable } from '../parts/settings-table.tsx'
import { unlessAdministrator } from './refusals.ts'
import { messagesTable } from './tables/general.ts'

const jitsi = 1

/** How messages and calls work. */
export function Messages() {
  return (
    <>
      <SettingsTable screen={messagesTable} />
      <Show when={field('realm_video_chat_provider') === jitsi}>
        <Section>
          <JitsiServer />
        </Section>
      </Show>
      <Section title={t('org_files.title')}>
        <p class="set-note">{fileLimit()}</p>
      </Section>
    </>
  )
}

/** The server of Jitsi calls. The default one if nothing is written. */
function JitsiServer() {
  const setting = useSetting(
    () => field('realm_jitsi_server_url') ?? '',
    (value) => patch('/realm', { jitsi_server_url: JSON.stringify(value || 'default') }),
    (value) => value.trim(),
  )
  return (
    <TextControl
      key="jitsi_server_url"
      label={t('realm_setting.jitsi_server_url')}
      note={t('realm_note.jitsi_server_url', { server: field('server_jitsi_server_url') ?? '' })}
      reason={unlessAdministrator()}
      setting={setting}
      spec={{ kind: 'text', key: 'jitsi_server_url', text: 'realm_setting.jitsi_server_url', max: 200 }}
    />
  )
}

function fileLimit() {
  const quota = field('realm_upload_quota_mib')
  const largest = t('org_files.largest', { size: field('max_file_upload_size_mib') })
  return quota === null ? largest : `${largest} ${t('org_files.quota', { size: quota })}`
}
