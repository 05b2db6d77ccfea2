import { get } from '../../api/client.ts'
import { insertIntoComposer } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { setSelected } from '../feed/selection.ts'
import { later, laterWithTexts } from '../parts/dialog.tsx'
import { mentionOf } from './commands.ts'
import { setEditing } from './editing.ts'
import { editDeadline, isOpen, mayMoveChannel, mayMoveTopic } from './permissions.ts'

// The actions that keys, buttons and the menu of a message start.

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

export function receipts(message: Message) {
  const load = () =>
    get<{ user_ids: number[] }>(`/messages/${message.id}/read_receipts`).then(({ user_ids }) => user_ids)
  later(
    () => import('../people/people-dialog.tsx'),
    ({ PeopleDialog }, close) =>
      PeopleDialog({ title: t('message.receipts'), empty: t('receipts.empty'), load, close }),
  )
}

/** Edits a message, or shows its source if that is not allowed. */
export function editOrView(message: Message) {
  if (isOpen(editDeadline(message))) setEditing(message.id)
  else source(message)
}
