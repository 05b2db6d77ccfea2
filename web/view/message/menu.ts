import { remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { hintOf } from '../../lib/keys.ts'
import { isFollowed, isMutedTopic, isResolved } from '../../store/channels.ts'
import { hasFlag, type Message } from '../../store/messages.ts'
import { field } from '../../store/server-state.ts'
import { toggleMark } from '../feed/marking.ts'
import { askFirst } from '../parts/confirm.tsx'
import { copy } from '../parts/copy.ts'
import { later, laterWithTexts } from '../parts/dialog.tsx'
import type { MenuEntry } from '../parts/menu.tsx'
import { toggleResolved } from '../topic/commands.ts'
import { replyDirect, toggleFlag, toggleFollow, toggleMute } from './commands.ts'
import { setEditing } from './editing.ts'
import { forward, history, mayMove, mention, move, receipts, reply, source } from './message-acts.ts'
import { markUnreadFrom, messageLink, quote } from './more-commands.ts'
import { deleteDeadline, editDeadline, isOpen, isOwn, mayResolve } from './permissions.ts'
import { timeLeft } from './time-left.ts'

type Offered = MenuEntry | false | undefined

/** The actions for a message. Those that the user may not do are left out. */
export function messageMenu(message: Message): Offered[] {
  return [
    ...answers(message),
    'line',
    ...changes(message),
    ...ownMarks(message),
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

function answers(message: Message): Offered[] {
  return [
    { label: t('message.reply'), icon: 'reply', keys: hintOf('reply'), run: () => reply(message) },
    { label: t('message.quote'), icon: 'quote', keys: hintOf('quote'), run: () => quote(message) },
    { label: t('message.forward'), icon: 'send', keys: hintOf('forward'), run: () => forward(message) },
    !isOwn(message) && {
      label: t('message.reply_direct'),
      icon: 'lock',
      keys: hintOf('reply_direct'),
      run: () => replyDirect(message),
    },
    !isOwn(message) && {
      label: t('message.mention'),
      icon: 'mention',
      keys: hintOf('mention'),
      run: () => mention(message),
    },
  ]
}

function changes(message: Message): Offered[] {
  const may = isOpen(editDeadline(message))
  return [
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
  ]
}

/** Returns the entries whose effects only the user sees. */
function ownMarks(message: Message): Offered[] {
  return [
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
  ]
}

function insights(message: Message): Offered[] {
  const isChanged = message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined
  return [
    isChanged &&
      field('realm_message_edit_history_visibility_policy') !== 'none' && {
        label: t('message.history'),
        icon: 'history',
        keys: hintOf('edit_history'),
        run: () => history(message),
      },
    field('realm_enable_read_receipts') && {
      label: t('message.receipts'),
      icon: 'eye',
      keys: hintOf('receipts'),
      run: () => receipts(message),
    },
    !isOwn(message) &&
      field('realm_moderation_request_channel_id') > 0 && {
        label: t('message.report'),
        icon: 'warning',
        run: () =>
          laterWithTexts(
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

function remind(message: Message) {
  later(
    () => import('./message-dialogs.tsx'),
    ({ Reminder }, close) => Reminder({ message, close }),
  )
}

function askToDelete(message: Message) {
  askFirst({
    title: t('message.delete'),
    text: t('message.delete_question'),
    action: t('message.delete'),
    run: () => remove(`/messages/${message.id}`),
  })
}
