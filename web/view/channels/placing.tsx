import { createSignal, createUniqueId, Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { field } from '../../store/server-state.ts'
import { Dialog, openDialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { SettingNote, useSetting } from '../settings/parts/setting.tsx'
import type { SettingProps } from './general.tsx'
import { SelectSetting } from './select-setting.tsx'

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
            { value: null, name: t('channel.no_folder') },
            ...folders().map(({ id, name }) => ({ value: id, name })),
          ]}
        />
      </Show>
      <Show when={field('is_admin') && props.reason === undefined}>
        <button
          type="button"
          class="button setting-more"
          onClick={() => openDialog((close) => <NewFolder close={close} created={take} />)}
        >
          {t('channel.new_folder')}
        </button>
      </Show>
    </>
  )
}

function NewFolder(props: { close(): void; created(id: number): void }) {
  const noteId = createUniqueId()
  const [name, setName] = createSignal('')
  const [description, setDescription] = createSignal('')
  const [error, setError] = createSignal<string>()
  async function create() {
    setError(undefined)
    try {
      const params = { name: name().trim(), description: description().trim() }
      const { channel_folder_id } = await post<{ channel_folder_id: number }>(
        '/channel_folders/create',
        params,
      )
      props.close()
      props.created(channel_folder_id)
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    }
  }
  return (
    <Dialog title={t('channel.new_folder')} close={props.close}>
      <Form submit={t('channel.create')} close={props.close} run={create}>
        <label>
          {t('channel.name')}
          <input
            class="field"
            dir="auto"
            autofocus
            required
            maxlength="60"
            aria-describedby={noteId}
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          {t('channel.description')}
          <input
            class="field"
            dir="auto"
            value={description()}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </label>
        <SettingNote id={noteId} error={error()} />
      </Form>
    </Dialog>
  )
}

/** Whether new users are subscribed to a channel. */
export function DefaultSetting(props: Omit<SettingProps, 'reason'>) {
  const id = createUniqueId()
  const setting = useSetting(
    () => (field('realm_default_streams') ?? []).includes(props.channel.stream_id),
    (value) => props.send({ is_default_stream: value }),
  )
  const reason = () => {
    if (!field('is_admin')) return t('channel.only_organization_administrators')
    return props.channel.invite_only ? t('channel.private_not_default') : undefined
  }
  return (
    <div class="setting">
      <label class="choice">
        <input
          type="checkbox"
          checked={setting.value()}
          disabled={reason() !== undefined}
          aria-describedby={id}
          onChange={(event) => {
            setting.set(event.currentTarget.checked)
            void setting.save({ orRevert: true })
          }}
        />
        {t('channel.default')}
      </label>
      <SettingNote id={id} error={setting.error()} text={reason()} />
    </div>
  )
}
