import { FilterField } from '../parts/filter-field.tsx'
import '../inbox/inbox.css'
import '../message/bulk.css'
import { createMemo, createSignal, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { linkTo } from '../../lib/router.ts'
import { shortAge } from '../../lib/time.ts'
import { createChannelTopics, type Topic } from '../../store/channel-topics.ts'
import { channelOf, isFollowed, isMutedTopic, shownChannel, shownTopic } from '../../store/channels.ts'
import { field } from '../../store/server-state.ts'
import { isSpectator } from '../../store/spectator.ts'
import { unreadInTopic } from '../../store/unread.ts'
import { mayMoveChannel, mayResolve } from '../message/permissions.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { now } from '../parts/clock.ts'
import { FirstRows } from '../parts/first-rows.tsx'
import { Icon } from '../parts/icon.tsx'
import { lazyPartWithTexts } from '../parts/lazy-part.tsx'
import { useRowKeys } from '../parts/row-keys.ts'
import { ViewHead } from '../shell/view-head.tsx'
import { markPlaceRead, mutePlace } from '../topic/places.ts'

const BulkTopics = lazyPartWithTexts(() => import('../message/bulk-topics.tsx'), 'BulkTopics')

function toggled(all: ReadonlySet<string>, name: string) {
  const next = new Set(all)
  if (!next.delete(name)) next.add(name)
  return next
}

/** Whether the user may do anything with several topics. */
function mayChoose(channelId: number) {
  if (isSpectator()) return false
  return field('is_admin') || mayMoveChannel(channelId) || mayResolve(channelId)
}

/** The topics of a channel, the newest first. */
export function Topics(props: { channelId: number }) {
  const [words, setWords] = createSignal('')
  const [chosen, setChosen] = createSignal<ReadonlySet<string>>(new Set())
  const end = () => setChosen(new Set<string>())
  const { topics, timeOf, read } = createChannelTopics(() => props.channelId)
  let body: HTMLDivElement | undefined
  useRowKeys(() => body, isSpectator() ? {} : { markRead: markPlaceRead, mute: mutePlace })
  const shown = () =>
    (topics() ?? []).filter(({ name }) => shownTopic(name).toLowerCase().includes(words().toLowerCase()))
  return (
    <>
      <Head {...props} />
      <div class="view-body topics" ref={body}>
        <div class="inbox-filter">
          <FilterField label={t('inbox.filter')} value={words()} set={setWords} />
        </div>
        <Show when={chosen().size > 0}>
          <BulkTopics
            channelId={props.channelId}
            topics={(topics() ?? []).filter(({ name }) => chosen().has(name))}
            end={end}
            done={(topics) => {
              const names = topics.map(({ name }) => name)
              setChosen((all) => new Set([...all].filter((name) => !names.includes(name))))
              void read()
            }}
          />
        </Show>
        <Show when={channelOf(props.channelId)} fallback={<p class="empty">{t('refused.unknown')}</p>}>
          <Show when={topics() && shown().length === 0}>
            <p class="empty">{t(words() ? 'recent.nothing' : 'topics.empty')}</p>
          </Show>
        </Show>
        <TopicRows
          channelId={props.channelId}
          topics={shown()}
          timeOf={timeOf}
          chosen={chosen()}
          toggle={(name) => setChosen((all) => toggled(all, name))}
        />
      </div>
    </>
  )
}

function Head(props: { channelId: number }) {
  return (
    <ViewHead
      title={
        <>
          <ChannelIcon channel={channelOf(props.channelId)} />
          <a href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: props.channelId }] })}>
            {shownChannel(props.channelId)}
          </a>
          <Icon name="right" />
          <span class="title-text">{t('view.topics')}</span>
        </>
      }
    />
  )
}

function TopicRows(props: {
  channelId: number
  topics: Topic[]
  timeOf(topic: Topic): number | undefined
  chosen: ReadonlySet<string>
  toggle(name: string): void
}) {
  const byName = createMemo(() => new Map(props.topics.map((topic) => [topic.name, topic])))
  return (
    <section class="inbox-group">
      <ul>
        {/* By names, as topics are made anew with each message: one keeps the focus. */}
        <FirstRows each={[...byName().keys()]}>
          {(name) => (
            <Show when={byName().get(name)}>
              {(topic) => (
                <TopicRow
                  channelId={props.channelId}
                  topic={topic()}
                  time={props.timeOf(topic())}
                  isChosen={props.chosen.has(name)}
                  toggle={() => props.toggle(name)}
                />
              )}
            </Show>
          )}
        </FirstRows>
      </ul>
    </section>
  )
}

function TopicRow(props: {
  channelId: number
  topic: Topic
  /** When its newest message was sent. */
  time: number | undefined
  isChosen: boolean
  toggle(): void
}) {
  const name = () => props.topic.name
  const terms = () => [
    { operator: 'channel', operand: props.channelId },
    { operator: 'topic', operand: name() },
  ]
  return (
    <li class="inbox-row topic-row">
      <Show when={mayChoose(props.channelId)}>
        <input
          type="checkbox"
          checked={props.isChosen}
          aria-label={t('bulk.choose', { name: shownTopic(name()) })}
          onChange={() => props.toggle()}
        />
      </Show>
      <a data-row href={linkTo({ view: 'narrow', terms: terms() })}>
        <span
          class="inbox-name"
          dir="auto"
          classList={{ nameless: name() === '', 'inbox-note': isMutedTopic(props.channelId, name()) }}
        >
          {shownTopic(name())}
        </span>
        <Show when={isFollowed(props.channelId, name())}>
          <Icon name="bell" />
          <span class="visually-hidden">{t('topic.policy_followed')}</span>
        </Show>
        <Show when={unreadInTopic(props.channelId, name())}>
          {(unread) => (
            <span class="count" classList={{ calm: unread().calls === 0 }}>
              {unread().ids.length}
            </span>
          )}
        </Show>
        <Show when={props.time}>
          {(time) => <span class="inbox-note inbox-age">{shortAge(time(), now())}</span>}
        </Show>
      </a>
    </li>
  )
}
