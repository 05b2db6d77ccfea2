import { FilterButtons } from '../parts/filter-buttons.tsx'
import { FilterField } from '../parts/filter-field.tsx'
import './inbox.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { linkTo } from '../../lib/router.ts'
import { channelOf, shownTopic } from '../../store/channels.ts'
import { loadPreviews } from '../../store/previews.ts'
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
import { FirstRows } from '../parts/first-rows.tsx'
import { Icon } from '../parts/icon.tsx'
import { useRowKeys } from '../parts/row-keys.ts'
import { ViewHead } from '../shell/view-head.tsx'
import { markPlaceRead, mutePlace } from '../topic/places.ts'
import { DirectRow, TopicRow } from './rows.tsx'

type Filter = 'all' | 'followed' | 'mentions'

/** The conversations with unread messages: direct ones first, then topics by channel. */
export function Inbox() {
  const [filter, setFilter] = createSignal<Filter>('all')
  const [words, setWords] = createSignal('')
  const directs = createMemo(() => directsThat(filter(), words()))
  const groups = createMemo(() => byChannel(topicsThat(filter(), words())))
  let body: HTMLDivElement | undefined
  loadPreviews()
  useRowKeys(() => body, { markRead: markPlaceRead, mute: mutePlace })
  const isEmpty = () => directs().length === 0 && groups().size === 0
  return (
    <>
      <ViewHead title={t('view.inbox')} />
      <div class="view-body inbox" ref={body}>
        <Filters filter={filter()} setFilter={setFilter} words={words()} setWords={setWords} />
        <Show when={!isEmpty()} fallback={<Nothing isFiltered={filter() !== 'all' || words() !== ''} />}>
          <Show when={directs().length > 0}>
            <Directs directs={directs()} />
          </Show>
          <For each={[...groups().keys()]}>
            {(channelId) => <Group channelId={channelId} topics={groups().get(channelId) ?? []} />}
          </For>
        </Show>
      </div>
    </>
  )
}

function Filters(props: {
  filter: Filter
  setFilter(filter: Filter): void
  words: string
  setWords(words: string): void
}) {
  return (
    <div class="inbox-filter">
      <FilterButtons
        names={['all', 'followed', 'mentions']}
        text={(name) => t(`inbox.${name}`)}
        isChosen={(name) => props.filter === name}
        choose={(name) => props.setFilter(name)}
      />
      <FilterField label={t('inbox.filter')} value={props.words} set={props.setWords} />
    </div>
  )
}

function Directs(props: { directs: UnreadDirect[] }) {
  return (
    <section class="inbox-group">
      <h2>{t('inbox.directs')}</h2>
      <ul>
        {/* By texts, as the objects are made anew with each event: a row keeps the focus. */}
        <FirstRows each={props.directs.map(({ userIds }) => userIds.join())}>
          {(ids) => (
            <Show when={unreadInDirect(ids ? ids.split(',').map(Number) : [])}>
              {(one) => <DirectRow direct={one()} />}
            </Show>
          )}
        </FirstRows>
      </ul>
    </section>
  )
}

/** A channel with its topics that have unread messages. */
function Group(props: { channelId: number; topics: string[] }) {
  const channel = () => channelOf(props.channelId)
  return (
    <section class="inbox-group">
      <h2>
        <a href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: props.channelId }] })}>
          <ChannelIcon channel={channel()} />
          {channel()?.name}
        </a>
      </h2>
      <ul>
        <FirstRows each={props.topics}>
          {(topic) => (
            <Show when={unreadInTopic(props.channelId, topic)}>{(one) => <TopicRow topic={one()} />}</Show>
          )}
        </FirstRows>
      </ul>
    </section>
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

function directsThat(filter: Filter, words: string) {
  if (filter === 'followed') return []
  return unreadDirects().filter((one) => passes(one, filter) && matches(directName(one.userIds), words))
}

function topicsThat(filter: Filter, words: string) {
  const nameOf = (one: UnreadTopic) => `${channelOf(one.channelId)?.name} ${shownTopic(one.topic)}`
  return unreadTopics().filter((one) => passesTopic(one, filter) && matches(nameOf(one), words))
}

function passes({ mentions }: { mentions: number }, filter: Filter) {
  return filter !== 'mentions' || mentions > 0
}

function passesTopic(topic: UnreadTopic, filter: Filter) {
  // A mention counts in the title also where its topic is muted.
  if (topic.isMuted && topic.calls === 0) return false
  return filter === 'followed' ? topic.isFollowed : passes(topic, filter)
}

function matches(name: string, words: string) {
  const lowered = name.toLowerCase()
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => lowered.includes(word))
}

/** The topics of each channel, the channels in the order of their newest message; topics are in that order already. */
function byChannel(topics: UnreadTopic[]) {
  const groups = new Map<number, string[]>()
  for (const { channelId, topic } of topics) {
    const group = groups.get(channelId) ?? []
    groups.set(channelId, group)
    group.push(topic)
  }
  return groups
}
