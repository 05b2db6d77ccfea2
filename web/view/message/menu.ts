import { get, remove } from '../../api/client.ts'
import { insertIntoComposer } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { hintOf } from '../../lib/keys.ts'
import { isFollowed, isMutedTopic, isResolved } from '../../store/channels.ts'
import { conversationOfMessage, hasFlag, type Message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import { toggleMark } from '../feed/marking.ts'
import { setSelected } from '../feed/selection.ts'
import { confirm, later, laterWithTexts } from '../parts/dialog.tsx'
import type { MenuEntry } from '../parts/menu.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import {
  copy,
  markUnreadFrom,
  mentionOf,
  messageLink,
  quote,
  replyDirect,
  toggleFlag,
  toggleFollow,
  toggleMute,
  toggleResolved,
} from './commands.ts'
import { setEditing } from './editing.ts'
import {
  deleteDeadline,
  editDeadline,
  isOpen,
  isOwn,
  mayMoveChannel,
  mayMoveTopic,
  mayResolve,
} from './permissions.ts'
import { timeLeft } from './time-left.ts'

type Offered = MenuEntry | false | undefined

/** The actions for a message. Those that the user may not do are left out. */
export function messageMenu(message: Message): Offered[] {
  const may = isOpen(editDeadline(message))
  return [
    { label: t('message.reply'), icon: 'reply', keys: hintOf('reply'), run: () => reply(message) },
    { label: t('message.quote'), icon: 'quote', keys: hintOf('quote'), run: () => quote(message) },
    { label: t('message.forward'), icon: 'send', keys: hintOf('forward'), run: () => forward(message) },
    { label: t('message.reply_direct'), keys: hintOf('reply_direct'), run: () => replyDirect(message) },
    { label: t('message.mention'), icon: 'mention', keys: hintOf('mention'), run: () => mention(message) },
    'line',
    may && {
      label: t('message.edit'),
      icon: 'edit',
      keys: hintOf('edit'),
      note: timeLeft(editDeadline(message)),
      run: () => setEditing(message.id),
    },
    { label: t('message.source'), icon: 'code', keys: may ? '' : hintOf('edit'), run: () => source(message) },
    mayMove(message) && {
      label: t('message.move'),
      icon: 'move',
      keys: hintOf('move'),
      run: () => move(message),
    },
    {
      label: t(hasFlag(message, 'starred') ? 'message.unstar' : 'message.star'),
      icon: 'star',
      keys: hintOf('star'),
      run: () => toggleFlag(message, 'starred'),
    },
    { label: t('message.select'), icon: 'check', keys: hintOf('mark'), run: () => toggleMark(message.id) },
    {
      label: t('message.mark_unread'),
      keys: hintOf('mark_unread'),
      run: () => void markUnreadFrom(message),
    },
    {
      label: t(hasFlag(message, 'collapsed') ? 'message.unfold' : 'message.fold'),
      keys: hintOf('collapse'),
      run: () => toggleFlag(message, 'collapsed'),
    },
    { label: t('message.copy_link'), icon: 'link', run: () => void copy(messageLink(message)) },
    { label: t('message.remind'), icon: 'bell', run: () => remind(message) },
    'line',
    ...insights(message),
    'line',
    ...topicEntries(message),
    'line',
    isOpen(deleteDeadline(message)) && {
      label: t('message.delete'),
      icon: 'trash',
      note: timeLeft(deleteDeadline(message)),
      isDangerous: true,
      run: () => askToDelete(message),
    },
  ]
}

function insights(message: Message): Offered[] {
  const state = currentState()
  const isChanged = message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined
  return [
    isChanged &&
      state.realm_message_edit_history_visibility_policy !== 'none' && {
        label: t('message.history'),
        icon: 'history',
        keys: hintOf('edit_history'),
        run: () => history(message),
      },
    state.realm_enable_read_receipts && {
      label: t('message.receipts'),
      icon: 'eye',
      keys: hintOf('receipts'),
      run: () => receipts(message),
    },
    !isOwn(message) &&
      state.realm_moderation_request_channel_id > 0 && {
        label: t('message.report'),
        icon: 'warning',
        run: () =>
          later(
            () => import('./message-dialogs.tsx'),
            ({ Report }, close) => Report({ message, close }),
          ),
      },
  ]
}

function topicEntries(message: Message): Offered[] {
  if (message.type !== 'stream') return []
  const topic = { channelId: message.stream_id ?? 0, topic: message.subject }
  return [
    mayResolve(topic.channelId) &&
      topic.topic !== '' && {
        label: t(isResolved(topic.topic) ? 'topic.unresolve' : 'topic.resolve'),
        icon: 'check',
        run: () => void toggleResolved(topic),
      },
    {
      label: t(isFollowed(topic.channelId, topic.topic) ? 'topic.unfollow' : 'topic.follow'),
      icon: 'bell',
      keys: hintOf('follow_topic'),
      run: () => toggleFollow(topic),
    },
    {
      label: t(isMutedTopic(topic.channelId, topic.topic) ? 'topic.unmute' : 'topic.mute'),
      icon: 'mute',
      keys: hintOf('mute_topic'),
      run: () => toggleMute(topic),
    },
  ]
}

export function reply(message: Message) {
  setSelected(message.id)
  insertIntoComposer('', conversationOfMessage(message))
}

export function mention(message: Message) {
  setSelected(message.id)
  insertIntoComposer(`${mentionOf(message.sender_id)} `, conversationOfMessage(message))
}

export function mayMove(message: Message) {
  if (message.type !== 'stream') return false
  const channelId = message.stream_id ?? 0
  return mayMoveTopic(channelId, message) || mayMoveChannel(channelId, message)
}

export function move(message: Message) {
  const topic = { channelId: message.stream_id ?? 0, topic: message.subject }
  laterWithTexts(
    () => import('./move.tsx'),
    ({ Move }, close) => Move({ topic, message, close }),
  )
}

export function forward(message: Message) {
  later(
    () => import('../search/jump.tsx'),
    ({ Forward }, close) => Forward({ messages: [message], close }),
  )
}

export function source(message: Message) {
  later(
    () => import('./message-dialogs.tsx'),
    ({ Source }, close) => Source({ message, close }),
  )
}

export function history(message: Message) {
  later(
    () => import('./message-dialogs.tsx'),
    ({ EditHistory }, close) => EditHistory({ message, close }),
  )
}

function remind(message: Message) {
  later(
    () => import('./message-dialogs.tsx'),
    ({ Reminder }, close) => Reminder({ message, close }),
  )
}

export function receipts(message: Message) {
  const load = () =>
    get<{ user_ids: number[] }>(`/messages/${message.id}/read_receipts`).then(({ user_ids }) => user_ids)
  later(
    () => import('../people/people-dialog.tsx'),
    ({ PeopleDialog }, close) =>
      PeopleDialog({ title: t('message.receipts'), empty: t('receipts.empty'), load, close }),
  )
}

function askToDelete(message: Message) {
  const texts = {
    title: t('message.delete'),
    text: t('message.delete_question'),
    action: t('message.delete'),
  }
  confirm(texts, () => void remove(`/messages/${message.id}`).catch(noticeFailure))
}

/** Edits a message, or shows its source if that is not allowed. */
export function editOrView(message: Message) {
  if (isOpen(editDeadline(message))) setEditing(message.id)
  else source(message)
}
