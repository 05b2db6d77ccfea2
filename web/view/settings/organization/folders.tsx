import { Show } from 'solid-js'
import { patch } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { channels } from '../../../store/channels.ts'
import type { Folder } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton, IconButton } from '../../parts/action-button.tsx'
import { EditButton, ListById, ListSection, ListText } from '../parts/list.tsx'
import { OrderButtons } from '../parts/order-buttons.tsx'
import { Section } from '../parts/section.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { unlessAdministrator } from './refusals.ts'

const folders = byId(() => field('channel_folders'))
const idsOf = (isArchived: boolean) =>
  [...folders().values()].filter(({ is_archived }) => is_archived === isArchived).map(({ id }) => id)

/** The folders in which channels stand. */
export function Folders() {
  return (
    <>
      <ListSection
        note={t('folders.note')}
        label={t('org_section.folders')}
        things={folders()}
        ids={idsOf(false)}
        empty={t('folders.none')}
        add={{
          text: t('folders.new'),
          reason: unlessAdministrator(),
          dialog: (close) => <FolderDialog close={close} />,
        }}
      >
        {(folder) => <Row folder={folder()} />}
      </ListSection>
      <Show when={idsOf(true).length > 0}>
        <Section title={t('folders.archived')}>
          <ListById label={t('folders.archived')} things={folders()} ids={idsOf(true)} empty="">
            {(folder) => <Row folder={folder()} />}
          </ListById>
        </Section>
      </Show>
    </>
  )
}

const countIn = (id: number) => [...channels().values()].filter(({ folder_id }) => folder_id === id).length

function Row(props: { folder: Folder }) {
  const about = () => [props.folder.description, t('folders.channels', { count: countIn(props.folder.id) })]
  return (
    <>
      <ListText title={props.folder.name}>{about().filter(Boolean).join(' · ')}</ListText>
      <div class="set-list-tools">
        <Show when={props.folder.is_archived} fallback={<Tools folder={props.folder} />}>
          <ActionButton reason={unlessAdministrator()} run={() => setArchived(props.folder, false)}>
            {t('channel.unarchive')}
          </ActionButton>
        </Show>
      </div>
    </>
  )
}

function setArchived({ id }: Folder, isArchived: boolean) {
  return patch(`/channel_folders/${id}`, { is_archived: isArchived })
}

function Tools(props: { folder: Folder }) {
  const name = () => props.folder.name
  return (
    <>
      <OrderButtons
        name={name()}
        id={props.folder.id}
        ids={idsOf(false)}
        reason={unlessAdministrator()}
        move={(ids) => patch('/channel_folders', { order: [...ids, ...idsOf(true)] })}
      />
      <EditButton
        name={name()}
        reason={unlessAdministrator()}
        dialog={(close) => <FolderDialog folder={props.folder} close={close} />}
      />
      <IconButton
        icon="trash"
        label={t('folders.archive', { name: name() })}
        reason={unlessAdministrator() ?? (countIn(props.folder.id) > 0 ? t('folders.not_empty') : undefined)}
        run={() => setArchived(props.folder, true)}
      />
    </>
  )
}
