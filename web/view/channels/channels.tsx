import { inOrder } from '../../lib/in-order.ts'
import { FilterButtons } from '../parts/filter-buttons.tsx'
import { FilterField } from '../parts/filter-field.tsx'
import { Known } from '../parts/known.tsx'
import '../inbox/inbox.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { patch } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { linkTo, replaceRoute, route } from '../../lib/router.ts'
import { administers, mayCreateAny } from '../../store/channel-rights.ts'
import { channelOf, channels, subscribed } from '../../store/channels.ts'
import { field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { channelInText } from '../parts/channel-in-text.ts'
import { Icon } from '../parts/icon.tsx'
import { notice } from '../parts/notices.tsx'
import { ViewHead } from '../shell/view-head.tsx'
import { subscribe, unsubscribe } from '../topic/menus.ts'
import { ChannelSettings } from './channel-settings.tsx'
import { NewChannel } from './new-channel.tsx'
import { openChannelSettings, openNewChannel } from './open-settings.ts'
import { settingsIn } from './settings-path.ts'

type Kind = 'all' | 'subscribed' | 'others' | 'archived'
const kinds: readonly Kind[] = ['all', 'subscribed', 'others', 'archived']

/** All channels that the user can see, in their folders, to subscribe and to leave; `#channels/5/general` opens settings. */
export function Channels() {
  const [words, setWords] = createSignal('')
  const [kind, setKind] = createSignal<Kind>('all')
  const shown = createMemo(() => [...channels().values()].filter((one) => fits(one, kind(), words())))
  const folders = createMemo(() => new Map(inFolders(shown()).map((folder) => [folder.id, folder])))
  return (
    <>
      <ViewHead title={t('view.channels')}>
        <Show when={mayCreateAny()}>
          <button type="button" class="button" onClick={openNewChannel}>
            <Icon name="plus" />
            {t('channel.new')}
          </button>
        </Show>
      </ViewHead>
      <div class="view-body channel-list">
        <div class="inbox-filter">
          <FilterButtons
            names={kinds}
            text={(one) => t(`channels.kind_${one}`)}
            isChosen={(one) => kind() === one}
            choose={(one) => setKind(one)}
          />
          <FilterField label={t('channels.filter')} value={words()} set={setWords} />
        </div>
        <Show when={shown().length === 0}>
          <p class="empty">{t('channels.none')}</p>
        </Show>
        {/* By ids: the rows stay when another folder comes before theirs, or goes. */}
        <For each={[...folders().keys()]}>
          {(id) => (
            <Known thing={folders().get(id)}>
              {(folder) => (
                <section class="inbox-group">
                  <Show when={folder().name}>
                    <h2 dir="auto">{folder().name}</h2>
                  </Show>
                  <Rows ids={folder().ids} />
                </section>
              )}
            </Known>
          )}
        </For>
      </div>
      <Addressed />
    </>
  )
}

/** Shows what the address names besides the list. */
function Addressed() {
  const path = () => {
    const now = route()
    return now.view === 'channels' ? (now.path ?? '') : ''
  }
  const close = () => replaceRoute({ view: 'channels' })
  const named = createMemo(() => settingsIn(path()), undefined, { equals: (a, b) => a?.key === b?.key })
  return (
    <>
      <Show when={named()} keyed>
        {({ channelId, tab }) => <ChannelSettings channelId={channelId} tab={tab} close={close} />}
      </Show>
      <Show when={path() === 'new' && mayCreateAny()}>
        <NewChannel close={() => path() === 'new' && close()} />
      </Show>
    </>
  )
}

function fits(channel: Channel, kind: Kind, words: string): boolean {
  const { is_archived, name, description, stream_id } = channel
  if (!`${name} ${description}`.toLowerCase().includes(words.toLowerCase())) return false
  if (kind === 'archived') return is_archived
  if (is_archived) return false
  return kind === 'all' || subscribed().has(stream_id) === (kind === 'subscribed')
}

/** `id`: 0 for the channels that are in no folder. */
type Folder = { id: number; name: string; ids: number[] }

/** By the order of the folders; those in none come last, with a title if there are others. */
function inFolders(all: Channel[]): Folder[] {
  const sorted = all.sort((a, b) => inOrder(a.name, b.name))
  const idsIn = (folder: number) =>
    sorted.filter(({ folder_id }) => folder_id === folder).map(({ stream_id }) => stream_id)
  const folders = (field('channel_folders') ?? [])
    .filter(({ is_archived }) => !is_archived)
    .map(({ id, name }) => ({ id, name, ids: idsIn(id) }))
    .filter(({ ids }) => ids.length > 0)
  const placed = new Set(folders.flatMap(({ ids }) => ids))
  const rest = sorted.map(({ stream_id }) => stream_id).filter((id) => !placed.has(id))
  if (rest.length === 0) return folders
  return [...folders, { id: 0, name: folders.length > 0 ? t('channels.no_folder') : '', ids: rest }]
}

/** By ids: events change a channel in place, which a list of channels does not notice. */
function Rows(props: { ids: number[] }) {
  return (
    <ul>
      <For each={props.ids}>
        {(id) => <Known thing={channelOf(id)}>{(channel) => <Row channel={channel()} />}</Known>}
      </For>
    </ul>
  )
}

function Row(props: { channel: Channel }) {
  return (
    <li class="inbox-row">
      <a
        data-row
        href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: props.channel.stream_id }] })}
      >
        <ChannelIcon channel={props.channel} />
        <span class="inbox-name" dir="auto">
          <span class="channel-name">{props.channel.name}</span>{' '}
          <span class="inbox-note">{plainText(props.channel.rendered_description)}</span>
        </span>
        <Show when={props.channel.subscriber_count !== undefined}>
          <span class="inbox-note subscriber-count">
            {t('channels.subscribers', { count: props.channel.subscriber_count ?? 0 })}
          </span>
        </Show>
      </a>
      <button
        type="button"
        class="icon-button"
        title={t('channel.settings')}
        aria-label={t('channel.settings_of', { name: channelInText(props.channel.stream_id) })}
        onClick={() => openChannelSettings(props.channel.stream_id)}
      >
        <Icon name="settings" />
      </button>
      <Show when={props.channel.is_archived} fallback={<SubscribeButton channel={props.channel} />}>
        <RestoreButton channel={props.channel} />
      </Show>
    </li>
  )
}

function SubscribeButton(props: { channel: Channel }) {
  const isSubscribed = () => subscribed().has(props.channel.stream_id)
  const toggle = () => (isSubscribed() ? unsubscribe : subscribe)(props.channel.stream_id)
  return (
    <ActionButton class={`row-button ${isSubscribed() ? 'settled' : ''}`} run={toggle}>
      {t(isSubscribed() ? 'channel.unsubscribe' : 'channel.subscribe')}
    </ActionButton>
  )
}

/** Takes the archiving of a channel back. */
function RestoreButton(props: { channel: Channel }) {
  const restore = async () => {
    const { stream_id, name } = props.channel
    await patch(`/streams/${stream_id}`, { is_archived: false })
    notice(t('channel.restored', { name }))
  }
  return (
    <ActionButton
      class="row-button"
      reason={administers(props.channel) ? undefined : t('channel.only_administrators')}
      run={restore}
    >
      {t('channel.unarchive')}
    </ActionButton>
  )
}
