import { createSignal } from 'solid-js'
import { patch, postOnce } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import type { Folder } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { TextInput } from '../../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'

/** Makes a folder, or changes one. `created` gets the id of a new one. */
export function FolderDialog(props: { folder?: Folder; created?(id: number): void; close(): void }) {
  const [name, setName] = createSignal(props.folder?.name ?? '')
  const [description, setDescription] = createSignal(props.folder?.description ?? '')
  const send = async () => {
    const values = { name: name().trim(), description: description().trim() }
    if (props.folder) return patch(`/channel_folders/${props.folder.id}`, values)
    const made = await postOnce<{ channel_folder_id: number }>('/channel_folders/create', values)
    props.created?.(made.channel_folder_id)
  }
  return (
    <FormDialog
      title={props.folder ? t('org.edit', { name: props.folder.name }) : t('folders.new')}
      submit={t(props.folder ? 'message.save' : 'channel.create')}
      isIncomplete={name().trim() === ''}
      send={send}
      close={props.close}
    >
      <TextInput
        label={t('channel.name')}
        value={name()}
        set={setName}
        max={field('max_channel_folder_name_length')}
        isFirst
      />
      <TextInput
        label={t('channel.description')}
        value={description()}
        set={setDescription}
        max={field('max_channel_folder_description_length')}
        lines={2}
      />
    </FormDialog>
  )
}
