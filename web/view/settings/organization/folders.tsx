import { createSignal, Show } from 'solid-js'
import { patch, post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { channels } from '../../../store/channels.ts'
import type { Folder } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { List, ListButton, ListText, OrderButtons } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { unlessAdministrator } from './refusals.ts'

const folders = byId(() => field('channel_folders'))
const idsOf = (isArchived: boolean) =>
  [...folders().values()].filter(({ is_archived }) => is_archived === isArchived).map(({ id }) => id)

/** The folders in which channels stand. */
export function Folders() {
  return (
    <>
      <Section note={t('folders.note')} tools={undefined}>
        <div class="set-bar">
          <button
            type="button"
            class="button"
            disabled={unlessAdministrator() !== undefined}
            title={unlessAdministrator()}
            onClick={() => openDialog((close) => <FolderDialog close={close} />)}
          >
            {t('folders.new')}
          </button>
        </div>
        <List label={t('org_section.folders')} items={idsOf(false)} empty={t('folders.none')}>
          {(id) => <Row id={id} />}
        </List>
      </Section>
      <Show when={idsOf(true).length > 0}>
        <Section title={t('folders.archived')}>
          <List label={t('folders.archived')} items={idsOf(true)} empty="">
            {(id) => <Row id={id} />}
          </List>
        </Section>
      </Show>
    </>
  )
}

function Row(props: { id: number }) {
  const count = () => [...channels().values()].filter(({ folder_id }) => folder_id === props.id).length
  const save = (change: object) =>
    void patch(`/channel_folders/${props.id}`, { ...change }).catch(noticeFailure)
  return (
    <Show when={folders().get(props.id)}>
      {(folder) => (
        <>
          <ListText title={folder().name}>
            {[folder().description, t('folders.channels', { count: count() })].filter(Boolean).join(' · ')}
          </ListText>
          <div class="set-list-tools">
            <Show
              when={!folder().is_archived}
              fallback={
                <button
                  type="button"
                  class="button"
                  disabled={unlessAdministrator() !== undefined}
                  onClick={() => save({ is_archived: false })}
                >
                  {t('channel.unarchive')}
                </button>
              }
            >
              <OrderButtons
                name={folder().name}
                id={props.id}
                ids={idsOf(false)}
                reason={unlessAdministrator()}
                move={(ids) =>
                  void patch('/channel_folders', { order: [...ids, ...idsOf(true)] }).catch(noticeFailure)
                }
              />
              <ListButton
                icon="edit"
                label={t('org.edit', { name: folder().name })}
                reason={unlessAdministrator()}
                run={() => openDialog((close) => <FolderDialog folder={folder()} close={close} />)}
              />
              <ListButton
                icon="trash"
                label={t('folders.archive', { name: folder().name })}
                reason={unlessAdministrator() ?? (count() > 0 ? t('folders.not_empty') : undefined)}
                run={() => save({ is_archived: true })}
              />
            </Show>
          </div>
        </>
      )}
    </Show>
  )
}

function FolderDialog(props: { folder?: Folder; close(): void }) {
  const [name, setName] = createSignal(props.folder?.name ?? '')
  const [description, setDescription] = createSignal(props.folder?.description ?? '')
  const send = () => {
    const values = { name: name().trim(), description: description().trim() }
    return props.folder
      ? patch(`/channel_folders/${props.folder.id}`, values)
      : post('/channel_folders/create', values)
  }
  return (
    <FormDialog
      title={props.folder ? t('org.edit', { name: props.folder.name }) : t('folders.new')}
      action={t(props.folder ? 'message.save' : 'channel.create')}
      isIncomplete={name().trim() === ''}
      send={send}
      close={props.close}
    >
      <label>
        {t('channel.name')}
        <input
          class="field"
          dir="auto"
          autofocus
          maxlength={field('max_channel_folder_name_length')}
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        {t('channel.description')}
        <textarea
          class="field"
          dir="auto"
          rows="2"
          maxlength={field('max_channel_folder_description_length')}
          value={description()}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
    </FormDialog>
  )
}
