import './feed.css'
import { createEffect, createMemo, createSignal, on, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { isSearch } from '../../lib/is-search.ts'
import { type Conversation, channelOfTerm, conversationOf, type Term, wholeChannel } from '../../lib/route.ts'
import { route } from '../../lib/router.ts'
import { subscribed } from '../../store/channels.ts'
import { beginDirect, beginning, beginTopic } from '../../store/composing.ts'
import type { MessageWindow } from '../../store/message-window.ts'
import { conversationOfMessage, message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import { isReady } from '../../store/session.ts'
import { windowOf } from '../../store/windows.ts'
import { BeginBox, Composer, OutgoingElsewhere, TypingLine } from '../compose/boxes.tsx'
import { useMessageKeys } from '../message/message-keys.ts'
import { lazyPart, lazyPartWithTexts } from '../parts/lazy-part.tsx'
import { NoticePlace, noticeFailure } from '../parts/notices.tsx'
import { ViewHead } from '../shell/view-head.tsx'
import { FeedTitle } from './feed-title.tsx'
import { FeedTools } from './feed-tools.tsx'
import { clearMarks, marked } from './marking.ts'
import { MessageList } from './message-list.tsx'
import { beginSelection, placeBefore, selected, setSelected } from './selection.ts'
import { SubscribeBar } from './subscribe-bar.tsx'

const Following = lazyPart(() => import('./following.ts'), 'Following')
const BulkBar = lazyPartWithTexts(() => import('../message/bulk-bar.tsx'), 'BulkBar')

/** The messages of a narrow, with a box to write where it is clear to whom. */
export function Feed(props: { terms: Term[] }) {
  const messages = windowOf(props.terms)
  const near = useNear(messages, props.terms)
  useMessageKeys(messages)
  onCleanup(clearMarks)
  const own = () => (isReady() ? currentState().user_id : 0)
  const conversation = createMemo(() => conversationOf(props.terms, own()))
  return (
    <>
      <FeedHead terms={props.terms} />
      <MessageList
        messages={messages}
        conversation={conversation()}
        near={near()}
        selected={selected()}
        select={setSelected}
      />
      <Show when={marked().size > 0}>
        <BulkBar messages={messages} />
      </Show>
      <NoticePlace />
      <Show when={isReady()}>
        <SubscribeBar conversation={conversation()} />
        <Show when={!isFollowed(props.terms)}>
          <Following messages={messages} />
        </Show>
        <WritingPlace terms={props.terms} conversation={conversation()} />
      </Show>
    </>
  )
}

/** Begins where the link leads, or where the user was, and goes on to what a later link to the same view names. */
function useNear(messages: MessageWindow, terms: Term[]) {
  const first = beginSelection() ?? nearOf()
  const [near, setNear] = createSignal(first, { equals: false })
  onMount(() => {
    const start = placeBefore()?.id ?? first
    if (start !== undefined)
      void reach(start, false).then(() => start !== nearOf() && missNear(nearOf(), true))
    else if (messages.anchor() === undefined) void messages.begin(startOf(terms))
  })
  createEffect(on(nearOf, (id) => id !== undefined && void show(id), { defer: true }))
  async function reach(id: number, isKept: boolean) {
    if (!messages.ids().includes(id)) await messages.begin(id, isKept)
    missNear(id, false)
  }
  /** The message of the address may be elsewhere, or gone. With `isLeft`, the reader had left it for another place of the view. */
  function missNear(id: number | undefined, isLeft: boolean) {
    if (id !== undefined && nearOf() === id && !messages.ids().includes(id))
      void import('./find-moved.ts')
        .then(({ findMoved }) => findMoved(id, messages, isLeft))
        .catch(noticeFailure)
  }
  async function show(id: number) {
    await reach(id, true)
    const failure = messages.failure()
    if (failure) noticeFailure(failure)
    else if (nearOf() === id) setNear(id)
  }
  return near
}

/** Below the messages: who is typing, and the box. */
function WritingPlace(props: { terms: Term[]; conversation: Conversation | undefined }) {
  /**
   * The conversation of a reply: that of the view, or that of the selected message, even if the message is deleted
   * meanwhile.
   */
  const target = createMemo<Conversation | undefined>((before) => {
    const id = selected()
    if (props.conversation || id === undefined) return props.conversation
    const chosen = message(id)
    return chosen ? conversationOfMessage(chosen) : before
  })
  return (
    <div class="writing-place" classList={{ reserved: target() !== undefined && !beginning() }}>
      <Show when={props.conversation} fallback={<OutgoingElsewhere />}>
        {(here) => <TypingLine conversation={here()} />}
      </Show>
      <Show when={!beginning()}>
        <Show when={target()} fallback={<Begin channelId={wholeChannel(props.terms)} />}>
          {(to) => <Composer conversation={to()} isReply={props.conversation === undefined} />}
        </Show>
      </Show>
    </div>
  )
}

/**
 * The buttons to begin a conversation if no message is selected: a new topic in the channel of the view, or any new
 * conversation.
 */
function Begin(props: { channelId: number | undefined }) {
  return (
    <Show
      when={props.channelId}
      fallback={
        <p class="begin-bar">
          <button type="button" class="button" onClick={() => beginTopic()}>
            {t('topics.new')}
          </button>
          <button type="button" class="button" onClick={() => beginDirect()}>
            {t('begin.direct')}
          </button>
        </p>
      }
    >
      {(channelId) => (
        <BeginBox start={{ kind: 'topic', conversation: { channelId: channelId(), topic: '' } }} />
      )}
    </Show>
  )
}

export function nearOf() {
  const here = route()
  return here.view === 'narrow' ? here.near : undefined
}

/** Whether events tell of new messages: not in a channel without a subscription. */
function isFollowed([first]: Term[]) {
  const channelId = channelOfTerm(first)
  return channelId === undefined || subscribed().has(channelId)
}

/** Searches and lists begin at the newest match; everything else where the user has stopped reading. */
function startOf(terms: Term[]) {
  const isList = terms.some(({ operator, operand }) => operator === 'is' && operand !== 'dm')
  return isList || isSearch(terms) ? 'newest' : 'first_unread'
}

function FeedHead(props: { terms: Term[] }) {
  return (
    <ViewHead title={<FeedTitle terms={props.terms} />}>
      <FeedTools terms={props.terms} />
    </ViewHead>
  )
}
