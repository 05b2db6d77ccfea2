import { inOrder } from '../../../lib/in-order.ts'
import './organization.css'
import { createSignal, For } from 'solid-js'
import { patch, post, postOnce, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { channelName, channelOf, channels } from '../../../store/channels.ts'
import type { DefaultChannelGroup } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { openDialog } from '../../parts/dialog.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { EditButton, List, ListById, ListText, RemoveButton } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { SettingsTable } from '../parts/settings-table.tsx'
import { unlessAdministrator } from './refusals.ts'
import { announcementsTable } from './tables/general.ts'

const groups = byId(() => field('realm_default_stream_groups'))

const byName = (a: number, b: number) => inOrder(channelOf(a)?.name ?? '', channelOf(b)?.name ?? '')

/** The channels that new users get, and those that they may choose together. */
export function DefaultChannels() {
  return (
    <>
      <Section title={t('default_channels.title')} note={t('default_channels.note')}>
        <AddChannel
          label={t('default_channels.add')}
          taken={field('realm_default_streams') ?? []}
          add={(id) => post('/default_streams', { stream_id: id })}
        />
        <ChannelList
          label={t('default_channels.title')}
          ids={[...(field('realm_default_streams') ?? [])].sort(byName)}
          remove={(id) => remove('/default_streams', { stream_id: id })}
        />
      </Section>
      <Section
        title={t('default_groups.title')}
        note={t('default_groups.note')}
        tools={
          <ActionButton
            reason={unlessAdministrator()}
            run={() => openDialog((close) => <GroupDialog close={close} />)}
          >
            {t('default_groups.new')}
          </ActionButton>
        }
      >
        <ListById label={t('default_groups.title')} things={groups()} empty={t('default_groups.none')}>
          {(group) => <Group group={group()} />}
        </ListById>
      </Section>
      <SettingsTable screen={announcementsTable} />
    </>
  )
}

function ChannelList(props: { label: string; ids: number[]; remove(id: number): Promise<unknown> }) {
  return (
    <List label={props.label} items={props.ids} empty={t('default_channels.none')}>
      {(id) => (
        <>
          <ListText title={`#${channelOf(id)?.name ?? id}`}>{channelOf(id)?.description}</ListText>
          <RemoveButton
            name={`#${channelOf(id)?.name ?? id}`}
            icon="close"
            reason={unlessAdministrator()}
            remove={() => props.remove(id)}
          />
        </>
      )}
    </List>
  )
}

/** Only public channels can be for new users. */
function AddChannel(props: { label: string; taken: number[]; add(id: number): Promise<unknown> }) {
  const offered = () =>
    [...channels().values()]
      .filter((one) => !one.invite_only && !one.is_archived && !props.taken.includes(one.stream_id))
      .sort((a, b) => inOrder(a.name, b.name))
  return (
    <div class="set-bar">
      <select
        class="field"
        aria-label={props.label}
        disabled={unlessAdministrator() !== undefined}
        title={unlessAdministrator()}
        onChange={({ currentTarget }) => {
          const id = Number(currentTarget.value)
          currentTarget.value = ''
          if (id) void props.add(id).catch(noticeFailure)
        }}
      >
        <option value="">{props.label}</option>
        {/* By ids: events change a channel in place. */}
        <For each={offered().map(({ stream_id }) => stream_id)}>
          {(id) => <option value={id}>#{channelName(id)}</option>}
        </For>
      </select>
    </div>
  )
}

function Group(props: { group: DefaultChannelGroup }) {
  const path = () => `/default_stream_groups/${props.group.id}`
  const nameOf = (id: number) => channelOf(id)?.name ?? ''
  const change = (op: 'add' | 'remove', id: number) =>
    patch(`${path()}/streams`, { op, stream_names: [nameOf(id)] })
  return (
    <>
      <ListText title={<strong>{props.group.name}</strong>}>{props.group.description}</ListText>
      <div class="set-list-tools">
        <EditButton
          name={props.group.name}
          reason={unlessAdministrator()}
          dialog={(close) => <GroupDialog group={props.group} close={close} />}
        />
        <RemoveButton
          name={props.group.name}
          reason={unlessAdministrator()}
          question={{
            title: t('default_groups.remove'),
            text: t('default_groups.remove_question', { name: props.group.name }),
          }}
          remove={() => remove(path())}
        />
      </div>
      <div class="set-inside">
        <AddChannel
          label={t('default_groups.add', { name: props.group.name })}
          taken={[...props.group.streams, ...field('realm_default_streams')]}
          add={(id) => change('add', id)}
        />
        <ChannelList
          label={props.group.name}
          ids={props.group.streams}
          remove={(id) => change('remove', id)}
        />
      </div>
    </>
  )
}

function GroupDialog(props: { group?: DefaultChannelGroup; close(): void }) {
  const [name, setName] = createSignal(props.group?.name ?? '')
  const [description, setDescription] = createSignal(props.group?.description ?? '')
  const send = () => {
    const { group } = props
    if (!group)
      return postOnce('/default_stream_groups/create', {
        group_name: name().trim(),
        description: description().trim(),
        stream_names: [],
      })
    // A name that stays is not sent: the server takes it for one that another group has.
    const isRenamed = name().trim() !== group.name
    return patch(`/default_stream_groups/${group.id}`, {
      new_description: description().trim(),
      ...(isRenamed && { new_group_name: name().trim() }),
    })
  }
  return (
    <FormDialog
      title={props.group ? t('org.edit', { name: props.group.name }) : t('default_groups.new')}
      submit={t(props.group ? 'message.save' : 'channel.create')}
      isIncomplete={name().trim() === ''}
      send={send}
      close={props.close}
    >
      <TextInput label={t('channel.name')} value={name()} set={setName} max={60} isFirst />
      <TextInput
        label={t('channel.description')}
        value={description()}
        set={setDescription}
        max={1024}
        lines={2}
      />
    </FormDialog>
  )
}
