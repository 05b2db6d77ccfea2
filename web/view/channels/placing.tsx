import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { field } from '../../store/server-state.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { openDialog } from '../parts/dialog.tsx'
import { FolderDialog } from '../settings/organization/folder-dialog.tsx'
import { CheckSetting, SelectSetting } from '../settings/parts/field-settings.tsx'
import { useSetting } from '../settings/parts/setting.tsx'
import type { SettingProps } from './general.tsx'

/** In which folder a channel is. Administrators make folders here as well. */
export function FolderSetting(props: SettingProps) {
  const folders = () => (field('channel_folders') ?? []).filter(({ is_archived }) => !is_archived)
  const setting = useSetting<number | null>(
    () => props.channel.folder_id,
    (value) => props.send({ folder_id: value }),
  )
  const take = (id: number) => {
    setting.set(id)
    void setting.save()
  }
  return (
    <>
      <Show when={folders().length > 0} fallback={<p class="inbox-note">{t('channel.no_folders')}</p>}>
        <SelectSetting
          setting={setting}
          label={t('channel.folder')}
          reason={props.reason}
          options={[
            [null, t('channel.no_folder')],
            ...folders().map(({ id, name }): [number, string] => [id, name]),
          ]}
        />
      </Show>
      <Show when={field('is_admin') && props.reason === undefined}>
        <ActionButton
          class="setting-more"
          run={() => openDialog((close) => <FolderDialog close={close} created={take} />)}
        >
          {t('folders.new')}
        </ActionButton>
      </Show>
    </>
  )
}

/** Whether new users are subscribed to a channel. */
export function DefaultSetting(props: Omit<SettingProps, 'reason'>) {
  const setting = useSetting(
    () => (field('realm_default_streams') ?? []).includes(props.channel.stream_id),
    (value) => props.send({ is_default_stream: value }),
  )
  const reason = () => {
    if (!field('is_admin')) return t('channel.only_organization_administrators')
    return props.channel.invite_only ? t('channel.private_not_default') : undefined
  }
  return <CheckSetting setting={setting} label={t('channel.default')} reason={reason()} />
}
