import { createMemo, onCleanup, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey, termsOf } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { dateAndTime, dayName, dayOf, timeOfDay } from '../../lib/time.ts'
import { edited } from '../../store/editors.ts'
import { conversationOfMessage, hasFlag, type Message, message } from '../../store/messages.ts'
import { isSilenced } from '../../store/muted-senders.ts'
import { avatarOf, senderName, users } from '../../store/people.ts'
import { currentState } from '../../store/server-state.ts'
import { isSpectator } from '../../store/spectator.ts'
import { MessageBody } from '../message/body.tsx'
import { excerptOf } from '../parts/excerpt.ts'
import { Icon } from '../parts/icon.tsx'
import { ConversationBar } from './conversation-bar.tsx'
import { marked } from './marking.ts'
import { MessageActions } from './message-actions.tsx'
import { Reactions } from './reactions.tsx'
import { skipWhenFar } from './row-heights.ts'

/** Messages of one author are grouped while they follow each other within this time, in seconds. */
export const groupedWithin = 5 * 60

type Props = {
  id: number
  /** The message above it in the list. */
  previous: number | undefined
  /** The conversation that the whole list shows; without it, rows say where they belong. */
  conversation: Conversation | undefined
  isFirstUnread: boolean
  isSelected: boolean
  /** Whether the pointer, the focus or the selection is here. */
  hasTools: boolean
}

/** One message of a list, with what stands above it: the date, the line of the unread, its conversation. */
export function MessageRow(props: Props) {
  return <Show when={message(props.id)}>{(found) => <Row {...props} message={found()} />}</Show>
}

function Row(props: Props & { message: Message }) {
  const { isNewDay, isNewConversation, isGrouped } = createPlace(props)
  return (
    <article
      class="row"
      ref={(row) => onCleanup(skipWhenFar(row))}
      data-id={props.id}
      tabindex={props.isSelected ? 0 : -1}
      aria-label={labelOf(props.message)}
      classList={{
        grouped: isGrouped(),
        unread: !hasFlag(props.message, 'read'),
        mentioned: props.message.flags.some((flag) => flag.endsWith('mentioned')),
        direct: props.message.type === 'private' && !props.conversation,
        selected: props.isSelected,
        marked: marked().has(props.id),
      }}
    >
      <Show when={isNewDay()}>
        <p class="date-line">
          <span>{dayName(props.message.timestamp)}</span>
        </p>
      </Show>
      <Show when={props.isFirstUnread}>
        <p class="unread-line">
          <span>{t('feed.new')}</span>
        </p>
      </Show>
      <Show when={isNewConversation()}>
        <ConversationBar message={props.message} />
      </Show>
      <Body {...props} isGrouped={isGrouped()} />
    </article>
  )
}

function Body(props: Props & { message: Message; isGrouped: boolean }) {
  return (
    <div class="row-body">
      <Show when={marked().size > 0}>
        <input
          type="checkbox"
          class="mark-box"
          checked={marked().has(props.id)}
          aria-label={t('message.select')}
        />
      </Show>
      <Side message={props.message} isGrouped={props.isGrouped} />
      <div class="row-main">
        <Show when={!props.isGrouped} fallback={<Marks message={props.message} />}>
          <Head message={props.message} />
        </Show>
        <MessageBody message={props.message} />
        <Reactions message={props.message} />
      </div>
      <Show when={props.hasTools && !isSpectator()}>
        <MessageActions message={props.message} />
      </Show>
    </div>
  )
}

/** How a message stands to the one above it. */
function createPlace(props: Props & { message: Message }) {
  const previous = () => (props.previous === undefined ? undefined : message(props.previous))
  const isNewDay = createMemo(() => dayOf(previous()?.timestamp ?? 0) !== dayOf(props.message.timestamp))
  const isNewConversation = createMemo(() => {
    if (props.conversation) return false
    const before = previous()
    return !before || keyOf(before) !== keyOf(props.message) || isNewDay()
  })
  const isGrouped = createMemo(() => {
    const before = previous()
    return (
      before?.sender_id === props.message.sender_id &&
      props.message.timestamp - before.timestamp < groupedWithin &&
      !isNewDay() &&
      !isNewConversation() &&
      !props.isFirstUnread
    )
  })
  return { isNewDay, isNewConversation, isGrouped }
}

/** Shows the author's picture beside a message, or the time where the author goes on. */
function Side(props: { message: Message; isGrouped: boolean }) {
  return (
    <span class="row-side">
      <Show when={!props.isGrouped} fallback={<Time message={props.message} />}>
        <img
          class="avatar"
          data-user-id={props.message.sender_id}
          src={avatarOf(props.message.sender_id)}
          alt=""
          loading="lazy"
        />
      </Show>
    </span>
  )
}

function Head(props: { message: Message }) {
  return (
    <p class="row-head">
      <button type="button" class="sender" data-user-id={props.message.sender_id} dir="auto">
        {senderName(props.message)}
      </button>
      <Show when={users().get(props.message.sender_id)?.is_bot}>
        <span class="badge">{t('message.bot')}</span>
      </Show>
      <Time message={props.message} />
      <Marks message={props.message} />
    </p>
  )
}

function Time(props: { message: Message }) {
  return (
    <a
      class="row-time"
      href={linkTo({
        view: 'narrow',
        terms: termsOf(conversationOfMessage(props.message), currentState().user_id),
        near: props.message.id,
      })}
      title={dateAndTime(props.message.timestamp)}
      tabindex="-1"
    >
      <time datetime={new Date(props.message.timestamp * 1000).toISOString()}>
        {/* On a phone, the hour and AM or PM have a line each. */}
        {timeOfDay(props.message.timestamp).replace('\u202f', ' ')}
      </time>
    </a>
  )
}

function Marks(props: { message: Message }) {
  return (
    <>
      <Show when={edited().has(props.message.id)}>
        <span class="mark">{t('typing.editing', { name: senderName(props.message) })}</span>
      </Show>
      <Show when={props.message.last_edit_timestamp}>
        <span class="mark">{t('message.edited')}</span>
      </Show>
      <Show when={props.message.last_moved_timestamp && !props.message.last_edit_timestamp}>
        <span class="mark">{t('message.moved')}</span>
      </Show>
      <Show when={hasFlag(props.message, 'starred')}>
        <span class="mark star">
          <Icon name="star" />
        </span>
      </Show>
    </>
  )
}

function keyOf(one: Message) {
  return conversationKey(conversationOfMessage(one))
}

function labelOf(one: Message) {
  const text = isSilenced(one) ? t('message.silenced') : excerptOf(one).slice(0, 500)
  return t('message.label', { name: senderName(one), text, time: timeOfDay(one.timestamp) })
}
