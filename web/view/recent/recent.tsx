import { createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey, termsOf } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { shortAge } from '../../lib/time.ts'
import { channelOf, isFollowed, isMutedTopic, shownTopic } from '../../store/channels.ts'
import { avatarOf, nameOf } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import { unreadInDirect, unreadInTopic } from '../../store/unread.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { now } from '../parts/clock.ts'
import { directName } from '../parts/conversation-name.ts'
import { FilterButtons } from '../parts/filter-buttons.tsx'
import { FilterField } from '../parts/filter-field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Presence } from '../parts/presence.tsx'
import { useRowKeys } from '../parts/row-keys.ts'
import { ViewHead } from '../shell/view-head.tsx'
import { markPlaceRead, mutePlace } from '../topic/places.ts'
import { type Row, useConversations } from './conversations.ts'

/** How many people of a conversation are shown. */
const peopleShown = 4

const filters = ['unread', 'followed', 'mine', 'directs'] as const
type Filter = (typeof filters)[number]

/** The choice and order of the shown conversations. */
type Choice = { words: string; filters: Filter[]; isByUnread: boolean }

/** All conversations by their last message, read ones too. */
export function Recent() {
  const conversations = useConversations()
  const [choice, setChoice] = createSignal<Choice>({ words: '', filters: [], isByUnread: false })
  let body: HTMLDivElement | undefined
  useRowKeys(() => body, { markRead: markPlaceRead, mute: mutePlace })
  const shown = createMemo(() => rowsOf(conversations.rows(), choice()))
  const byKey = createMemo(() => new Map(shown().map((row) => [conversationKey(row.conversation), row])))
  return (
    <>
      <ViewHead title={t('view.recent')} />
      <div class="view-body recent" ref={body}>
        <Choosing choice={choice()} change={(part) => setChoice((all) => ({ ...all, ...part }))} />
        <Show when={conversations.isReady() && shown().length === 0}>
          <p class="empty">{t(conversations.rows().length === 0 ? 'recent.empty' : 'recent.nothing')}</p>
        </Show>
        <section class="inbox-group">
          <ul>
            {/* By texts, as the rows are made anew with each message: one keeps the focus. */}
            <For each={[...byKey().keys()]}>
              {(key) => <Show when={byKey().get(key)}>{(row) => <ConversationRow row={row()} />}</Show>}
            </For>
          </ul>
        </section>
        <Show when={conversations.hasOlder()}>
          <p class="older">
            <button
              type="button"
              class="button"
              disabled={conversations.isLoading()}
              onClick={conversations.loadOlder}
            >
              {t(conversations.isReady() ? 'recent.older' : 'feed.retry')}
            </button>
          </p>
        </Show>
      </div>
    </>
  )
}

function rowsOf(rows: Row[], { words, filters, isByUnread }: Choice) {
  const typed = words.toLowerCase()
  const found = rows.filter(
    (row) =>
      isShown(row) &&
      filters.every((filter) => passes(row, filter)) &&
      nameOfRow(row).toLowerCase().includes(typed),
  )
  // The order by time stays among those that have equally much unread.
  return isByUnread ? found.toSorted((a, b) => unreadIn(b) - unreadIn(a)) : found
}

function Choosing(props: { choice: Choice; change(part: Partial<Choice>): void }) {
  const chosen = () => props.choice.filters
  const toggled = (filter: Filter) =>
    chosen().includes(filter) ? chosen().filter((one) => one !== filter) : [...chosen(), filter]
  return (
    <div class="inbox-filter">
      <FilterButtons
        names={filters}
        text={(filter) => t(`recent.${filter}`)}
        isChosen={(filter) => chosen().includes(filter)}
        choose={(filter) => props.change({ filters: toggled(filter) })}
      />
      <select
        class="field recent-order"
        aria-label={t('recent.order')}
        onChange={(event) => props.change({ isByUnread: event.currentTarget.value === 'unread' })}
      >
        <option value="time">{t('recent.by_time')}</option>
        <option value="unread">{t('recent.by_unread')}</option>
      </select>
      <FilterField
        label={t('inbox.filter')}
        value={props.choice.words}
        set={(words) => props.change({ words })}
      />
    </div>
  )
}

function ConversationRow(props: { row: Row }) {
  const conversation = () => props.row.conversation
  const count = () => unreadIn(props.row)
  const people = () => props.row.people
  return (
    <li class="inbox-row">
      <a data-row href={linkTo({ view: 'narrow', terms: termsOf(conversation(), currentState().user_id) })}>
        <RowName conversation={conversation()} />
        <span
          class="faces"
          role="img"
          title={people().map(nameOf).join(', ')}
          aria-label={people().map(nameOf).join(', ')}
        >
          <For each={people().slice(0, peopleShown)}>
            {(id) => <img class="avatar" style={{ '--avatar-size': '20px' }} src={avatarOf(id)} alt="" />}
          </For>
          <Show when={people().length > peopleShown}>
            <span class="inbox-note">+{people().length - peopleShown}</span>
          </Show>
        </span>
        <Show when={count() > 0}>
          <span class="count" classList={{ calm: isCalm(props.row) }}>
            <span aria-hidden="true">{count()}</span>
            <span class="visually-hidden">{t('count.unread', { count: count() })}</span>
          </span>
        </Show>
        <span class="inbox-note">{shortAge(props.row.at, now())}</span>
      </a>
    </li>
  )
}

function RowName(props: { conversation: Conversation }) {
  const others = () => ('userIds' in props.conversation ? props.conversation.userIds : [])
  return (
    <Show
      when={'channelId' in props.conversation ? props.conversation : undefined}
      fallback={
        <>
          <Show when={others().length === 1} fallback={<Icon name="people" />}>
            <Presence userId={others()[0] ?? 0} />
          </Show>
          <span class="inbox-name" dir="auto">
            {directName(others())}
          </span>
        </>
      }
    >
      {(topic) => (
        <>
          <ChannelIcon channel={channelOf(topic().channelId)} />
          <span class="inbox-name" dir="auto">
            <span class="inbox-note row-channel">{channelOf(topic().channelId)?.name}</span>
            <span class="inbox-note"> › </span>
            <span classList={{ nameless: topic().topic === '' }}>{shownTopic(topic().topic)}</span>
          </span>
        </>
      )}
    </Show>
  )
}

function unreadIn({ conversation }: Row): number {
  const found =
    'userIds' in conversation
      ? unreadInDirect(conversation.userIds)
      : unreadInTopic(conversation.channelId, conversation.topic)
  return found?.ids.length ?? 0
}

/** Whether no unread message of a conversation calls for the user. */
function isCalm({ conversation }: Row): boolean {
  return 'channelId' in conversation && !unreadInTopic(conversation.channelId, conversation.topic)?.calls
}

function passes(row: Row, filter: Filter): boolean {
  const { conversation } = row
  if (filter === 'directs') return 'userIds' in conversation
  if (filter === 'unread') return unreadIn(row) > 0
  if (filter === 'mine') return row.people.includes(currentState().user_id)
  return 'channelId' in conversation && isFollowed(conversation.channelId, conversation.topic)
}

function isShown({ conversation }: Row) {
  return 'userIds' in conversation || !isMutedTopic(conversation.channelId, conversation.topic)
}

function nameOfRow({ conversation }: Row) {
  if ('userIds' in conversation) return directName(conversation.userIds)
  return `${channelOf(conversation.channelId)?.name} ${shownTopic(conversation.topic)}`
}
