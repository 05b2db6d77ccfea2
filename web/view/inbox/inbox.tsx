import './inbox.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { linkTo } from '../../lib/router.ts'
import { channelOf, shownTopic } from '../../store/channels.ts'
import { loadPreviews } from '../../store/previews.ts'
import { currentState } from '../../store/server-state.ts'
import {
  type UnreadDirect,
  type UnreadTopic,
  unreadDirects,
  unreadInDirect,
  unreadInTopic,
  unreadTopics,
} from '../../store/unread.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { directName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { Presence } from '../parts/presence.tsx'
import { useRowKeys } from '../parts/row-keys.ts'
import { ViewHead } from '../shell/view-head.tsx'
import { markPlaceRead, mutePlace } from '../topic/places.ts'
import { Age, Preview } from './preview.tsx'

type Filter = 'all' | 'followed' | 'mentions'

/** The conversations with unread messages: direct ones first, then topics by channel. */
export function Inbox(props: { openRail(): void }) {
  const [filter, setFilter] = createSignal<Filter>('all')
  const [words, setWords] = createSignal('')
  const directs = createMemo(() =>
    filter() === 'followed'
      ? []
      : unreadDirects().filter((one) => passes(one, filter()) && matches(directName(one.userIds), words())),
  )
  const groups = createMemo(() =>
    byChannel(
      unreadTopics().filter(
        (one) =>
          passesTopic(one, filter()) &&
          matches(`${channelOf(one.channelId)?.name} ${shownTopic(one.topic)}`, words()),
      ),
    ),
  )
  let body: HTMLDivElement | undefined
  loadPreviews()
  useRowKeys(() => body, { markRead: markPlaceRead, mute: mutePlace })
  const isEmpty = () => directs().length === 0 && groups().size === 0
  return (
    <>
      <ViewHead openRail={props.openRail} title={t('view.inbox')} />
      <div class="view-body inbox" ref={body}>
        <div class="inbox-filter">
          <For each={['all', 'followed', 'mentions'] as const}>
            {(name) => (
              <button
                type="button"
                class="button"
                aria-pressed={filter() === name}
                onClick={() => setFilter(name)}
              >
                {t(`inbox.${name}`)}
              </button>
            )}
          </For>
          <input
            class="field"
            type="search"
            placeholder={t('inbox.filter')}
            aria-label={t('inbox.filter')}
            value={words()}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
        <Show when={!isEmpty()} fallback={<Nothing isFiltered={filter() !== 'all' || words() !== ''} />}>
          <Show when={directs().length > 0}>
            <section class="inbox-group">
              <h2>{t('inbox.directs')}</h2>
              <ul>
                {/* By texts, as the objects are made anew with each event: a row keeps the focus. */}
                <For each={directs().map(({ userIds }) => userIds.join())}>
                  {(ids) => (
                    <Show when={unreadInDirect(ids ? ids.split(',').map(Number) : [])}>
                      {(one) => <DirectRow direct={one()} />}
                    </Show>
                  )}
                </For>
              </ul>
            </section>
          </Show>
          <For each={[...groups().keys()]}>
            {(channelId) => (
              <section class="inbox-group">
                <h2>
                  <a href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: channelId }] })}>
                    <ChannelIcon channel={channelOf(channelId)} />
                    {channelOf(channelId)?.name}
                  </a>
                </h2>
                <ul>
                  <For each={groups().get(channelId) ?? []}>
                    {(topic) => (
                      <Show when={unreadInTopic(channelId, topic)}>
                        {(one) => <TopicRow topic={one()} />}
                      </Show>
                    )}
                  </For>
                </ul>
              </section>
            )}
          </For>
        </Show>
      </div>
    </>
  )
}

function Nothing(props: { isFiltered: boolean }) {
  return (
    <div class="empty">
      <Icon name="check" />
      <h2>{t('inbox.empty_title')}</h2>
      <Show when={!props.isFiltered}>
        <p>{t('inbox.empty')}</p>
        <a class="button" href={linkTo({ view: 'recent' })}>
          {t('view.recent')}
        </a>
      </Show>
    </div>
  )
}

function DirectRow(props: { direct: UnreadDirect }) {
  const ids = () => (props.direct.userIds.length > 0 ? props.direct.userIds : [currentState().user_id])
  return (
    <li class="inbox-row">
      <a href={linkTo({ view: 'narrow', terms: [{ operator: 'dm', operand: ids() }] })}>
        <Show when={ids().length === 1} fallback={<Icon name="people" />}>
          <Presence userId={ids()[0] ?? 0} />
        </Show>
        <span class="inbox-name" dir="auto">
          {directName(props.direct.userIds)}
        </span>
        <Preview id={props.direct.newest} withName={props.direct.userIds.length > 1} />
        <Show when={props.direct.mentions > 0}>
          <Icon name="mention" />
        </Show>
        <Age id={props.direct.newest} />
        <Unread ids={props.direct.ids} />
      </a>
      <MarkRead ids={props.direct.ids} />
    </li>
  )
}

function TopicRow(props: { topic: UnreadTopic }) {
  const terms = () => [
    { operator: 'channel', operand: props.topic.channelId },
    { operator: 'topic', operand: props.topic.topic },
  ]
  return (
    <li class="inbox-row">
      <a href={linkTo({ view: 'narrow', terms: terms() })}>
        <span class="inbox-name" dir="auto" classList={{ nameless: props.topic.topic === '' }}>
          {shownTopic(props.topic.topic)}
        </span>
        <Preview id={props.topic.newest} withName />
        <Show when={props.topic.mentions > 0}>
          <Icon name="mention" />
        </Show>
        <Age id={props.topic.newest} />
        <Unread ids={props.topic.ids} />
      </a>
      <MarkRead ids={props.topic.ids} />
    </li>
  )
}

function Unread(props: { ids: number[] }) {
  return (
    <span class="count">
      <span aria-hidden="true">{props.ids.length}</span>
      <span class="visually-hidden">{t('count.unread', { count: props.ids.length })}</span>
    </span>
  )
}

function MarkRead(props: { ids: number[] }) {
  return (
    <button
      type="button"
      class="icon-button"
      title={t('inbox.mark_read')}
      aria-label={t('inbox.mark_read')}
      onClick={() =>
        void post('/messages/flags', { messages: props.ids, op: 'add', flag: 'read' }).catch(noticeFailure)
      }
    >
      <Icon name="check" />
    </button>
  )
}

function passes({ mentions }: { mentions: number }, filter: Filter) {
  return filter !== 'mentions' || mentions > 0
}

function passesTopic(topic: UnreadTopic, filter: Filter) {
  if (topic.isMuted) return false
  return filter === 'followed' ? topic.isFollowed : passes(topic, filter)
}

function matches(name: string, words: string) {
  const lowered = name.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowered.includes(word))
}

/** The topics of each channel, the channels in the order of their newest message; topics are in that order already. */
function byChannel(topics: UnreadTopic[]) {
  const groups = new Map<number, string[]>()
  for (const { channelId, topic } of topics) groups.set(channelId, [...(groups.get(channelId) ?? []), topic])
  return groups
}
