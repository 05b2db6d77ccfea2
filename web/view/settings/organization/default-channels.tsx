import './organization.css'
import { createSignal, For, Show } from 'solid-js'
import { patch, post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { channelOf, channels } from '../../../store/channels.ts'
import type { DefaultChannelGroup } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { confirm, openDialog } from '../../parts/dialog.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { List, ListButton, ListText } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { SettingsTable } from '../parts/settings-table.tsx'
import { unlessAdministrator } from './refusals.ts'
import { announcementsTable } from './tables/general.ts'

const groups = byId(() => field('realm_default_stream_groups'))

const byName = (a: number, b: number) => (channelOf(a)?.name ?? '').localeCompare(channelOf(b)?.name ?? '')

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
          <button
            type="button"
            class="button"
            disabled={unlessAdministrator() !== undefined}
            title={unlessAdministrator()}
            onClick={() => openDialog((close) => <GroupDialog close={close} />)}
          >
            {t('default_groups.new')}
          </button>
        }
      >
        <List label={t('default_groups.title')} items={[...groups().keys()]} empty={t('default_groups.none')}>
          {(id) => <Show when={groups().get(id)}>{(group) => <Group group={group()} />}</Show>}
        </List>
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
          <ListButton
            icon="close"
            label={t('org.remove', { name: `#${channelOf(id)?.name ?? id}` })}
            reason={unlessAdministrator()}
            run={() => void props.remove(id).catch(noticeFailure)}
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
      .sort((a, b) => a.name.localeCompare(b.name))
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
        <For each={offered()}>{(one) => <option value={one.stream_id}>#{one.name}</option>}</For>
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
        <ListButton
          icon="edit"
          label={t('org.edit', { name: props.group.name })}
          reason={unlessAdministrator()}
          run={() => openDialog((close) => <GroupDialog group={props.group} close={close} />)}
        />
        <ListButton
          icon="trash"
          label={t('org.remove', { name: props.group.name })}
          reason={unlessAdministrator()}
          run={() =>
            confirm(
              {
                title: t('default_groups.remove'),
                text: t('default_groups.remove_question', { name: props.group.name }),
                action: t('org.remove_it'),
              },
              () => void remove(path()).catch(noticeFailure),
            )
          }
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
      return post('/default_stream_groups/create', {
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
      action={t(props.group ? 'message.save' : 'channel.create')}
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
          maxlength="60"
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
          maxlength="1024"
          value={description()}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
    </FormDialog>
  )
}
