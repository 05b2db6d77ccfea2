import { createMemo, createSignal, For, onMount, Show } from 'solid-js'
import { get, untilDone } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey, termsOf } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { shortAge } from '../../lib/time.ts'
import { channelOf, isMutedTopic, shownTopic } from '../../store/channels.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { avatarOf, nameOf } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import { unreadInDirect, unreadInTopic } from '../../store/unread.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { now } from '../parts/clock.ts'
import { directName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { useRowKeys } from '../parts/row-keys.ts'
import { ViewHead } from '../shell/view-head.tsx'
import { markPlaceRead, mutePlace } from '../topic/places.ts'

/** How many of the newest messages the list is made of. */
const looksAt = 500
/** How many people of a conversation are shown. */
const peopleShown = 4

type Row = { conversation: Conversation; at: number; people: number[] }

/** All conversations by their last message, read ones too. */
export function Recent(props: { openRail(): void }) {
  const [messages, setMessages] = createSignal<Message[]>()
  const [words, setWords] = createSignal('')
  onMount(async () => {
    const { messages } = await untilDone(() =>
      get<{ messages: Message[] }>('/messages', {
        narrow: [],
        anchor: 'newest',
        num_before: looksAt,
        num_after: 0,
        apply_markdown: true,
        client_gravatar: false,
        allow_empty_topic_name: true,
      }),
    )
    setMessages(messages)
  })
  let body: HTMLDivElement | undefined
  useRowKeys(() => body, { markRead: markPlaceRead, mute: mutePlace })
  const rows = createMemo(() =>
    rowsOf(messages() ?? []).filter(
      (row) => isShown(row) && nameOfRow(row).toLowerCase().includes(words().toLowerCase()),
    ),
  )
  return (
    <>
      <ViewHead openRail={props.openRail} title={t('view.recent')} />
      <div class="view-body recent" ref={body}>
        <div class="inbox-filter">
          <input
            class="field"
            type="search"
            placeholder={t('inbox.filter')}
            aria-label={t('inbox.filter')}
            value={words()}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
        <Show when={messages() && rows().length === 0}>
          <p class="empty">{t('recent.empty')}</p>
        </Show>
        <section class="inbox-group">
          <ul>
            <For each={rows()}>{(row) => <ConversationRow row={row} />}</For>
          </ul>
        </section>
      </div>
    </>
  )
}

function ConversationRow(props: { row: Row }) {
  const conversation = () => props.row.conversation
  const count = () => {
    const one = conversation()
    const found = 'userIds' in one ? unreadInDirect(one.userIds) : unreadInTopic(one.channelId, one.topic)
    return found?.ids.length ?? 0
  }
  return (
    <li class="inbox-row">
      <a href={linkTo({ view: 'narrow', terms: termsOf(conversation(), currentState().user_id) })}>
        <RowName conversation={conversation()} />
        <span class="faces" title={props.row.people.map(nameOf).join(', ')}>
          <For each={props.row.people.slice(0, peopleShown)}>
            {(id) => <img class="avatar" style={{ '--avatar-size': '20px' }} src={avatarOf(id)} alt="" />}
          </For>
        </span>
        <Show when={count() > 0}>
          <span class="count">{count()}</span>
        </Show>
        <span class="inbox-note">{shortAge(props.row.at, now())}</span>
      </a>
    </li>
  )
}

function RowName(props: { conversation: Conversation }) {
  return (
    <Show
      when={'channelId' in props.conversation ? props.conversation : undefined}
      fallback={
        <>
          <Icon name="people" />
          <span class="inbox-name" dir="auto">
            {directName((props.conversation as { userIds: number[] }).userIds)}
          </span>
        </>
      }
    >
      {(topic) => (
        <>
          <ChannelIcon channel={channelOf(topic().channelId)} />
          <span class="inbox-name" dir="auto">
            <span class="inbox-note">{channelOf(topic().channelId)?.name} › </span>
            <span classList={{ nameless: topic().topic === '' }}>{shownTopic(topic().topic)}</span>
          </span>
        </>
      )}
    </Show>
  )
}

function rowsOf(messages: Message[]): Row[] {
  const rows = new Map<string, Row>()
  for (const message of messages.toReversed()) {
    const conversation = conversationOfMessage(message)
    const key = conversationKey(conversation)
    const row = rows.get(key) ?? { conversation, at: message.timestamp, people: [] }
    if (!row.people.includes(message.sender_id)) row.people.push(message.sender_id)
    rows.set(key, row)
  }
  return [...rows.values()]
}

function isShown({ conversation }: Row) {
  return 'userIds' in conversation || !isMutedTopic(conversation.channelId, conversation.topic)
}

function nameOfRow({ conversation }: Row) {
  if ('userIds' in conversation) return directName(conversation.userIds)
  return `${channelOf(conversation.channelId)?.name} ${shownTopic(conversation.topic)}`
}
