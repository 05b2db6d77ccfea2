import { onCleanup } from 'solid-js'
import { insertIntoComposer, onActions, runAction } from '../../lib/actions.ts'
import { isSearch } from '../../lib/is-search.ts'
import type { Action } from '../../lib/keys.ts'
import type { MessageWindow } from '../../store/message-window.ts'
import { type Message, message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import { openEmojiPicker } from '../emoji/open-picker.ts'
import { toggleMark } from '../feed/marking.ts'
import { selectedMessage, setSelected } from '../feed/selection.ts'
import { noticeFailure } from '../parts/notices.tsx'
import { openCard } from '../people/open-card.ts'
import { openPicturesOf } from '../viewer/open-viewer.ts'
import { replyDirect, thumbsUp, toggleFlag, toggleFollow, toggleMute, toggleReaction } from './commands.ts'
import { setEditing } from './editing.ts'
import { editOrView, forward, history, mayMove, mention, move, receipts, reply } from './message-acts.ts'
import { editDeadline, isOpen, isOwn, mayReact } from './permissions.ts'

/** The keys that act on the selected message, while a list of messages is shown. */
export function useMessageKeys(messages: MessageWindow) {
  const acts: Partial<Record<Action, (chosen: Message, event?: KeyboardEvent) => unknown>> = {
    // Among the results of a search, Enter shows the message where it was written.
    reply: (chosen, event) =>
      event?.key === 'Enter' && isSearch(messages.terms) ? runAction('context') : reply(chosen),
    reply_direct: replyDirect,
    quote: (chosen) => withMore(({ quote }) => quote(chosen)),
    forward,
    mention,
    edit: editOrView,
    move: (chosen) => (mayMove(chosen) ? move(chosen) : false),
    thumbs_up: (chosen) => (mayReact(chosen) ? toggleReaction(chosen, thumbsUp) : false),
    first_reaction: (chosen) => {
      const [first] = chosen.reactions
      return first && mayReact(chosen) ? toggleReaction(chosen, first) : false
    },
    react: (chosen) =>
      mayReact(chosen) && openEmojiPicker(rowOf(chosen.id), (emoji) => toggleReaction(chosen, emoji)),
    mark: ({ id }) => toggleMark(id),
    star: (chosen) => toggleFlag(chosen, 'starred'),
    user_card: (chosen) => {
      const row = document.querySelector(`[data-id="${chosen.id}"] [data-user-id="${chosen.sender_id}"]`)
      openCard(row ?? rowOf(chosen.id), chosen.sender_id)
    },
    image: (chosen) => openPicturesOf(chosen.id),
    collapse: (chosen) => toggleFlag(chosen, 'collapsed'),
    edit_history: history,
    receipts,
    mark_unread: (chosen) => withMore(({ markUnreadFrom }) => markUnreadFrom(chosen)),
    mute_topic: (chosen) => withTopic(chosen, toggleMute),
    follow_topic: (chosen) => withTopic(chosen, toggleFollow),
  }
  const handlers = Object.entries(acts).map(([action, act]) => [
    action,
    (event?: KeyboardEvent) => {
      const chosen = selectedMessage()
      if (chosen) return act(chosen, event)
      // Without a message to reply to, the user writes in the conversation that is open.
      const isMeant = action === 'reply' && event?.key !== 'Enter' && !isSearch(messages.terms)
      return isMeant ? insertIntoComposer('') : false
    },
  ])
  onCleanup(onActions({ ...Object.fromEntries(handlers), edit_last: () => editLast(messages) }))
}

/** Runs a command that the first load does not have. */
function withMore(act: (more: typeof import('./more-commands.ts')) => unknown) {
  void import('./more-commands.ts').then(act).catch(noticeFailure)
}

function withTopic(
  { type, stream_id = 0, subject }: Message,
  act: (topic: { channelId: number; topic: string }) => void,
) {
  if (type === 'stream') act({ channelId: stream_id, topic: subject })
}

/** Edits the user's newest message here, if that is still allowed. */
function editLast(messages: MessageWindow) {
  const own = messages
    .ids()
    .map((id) => message(id))
    .findLast((one) => one !== undefined && isOwn(one) && one.sender_id === currentState().user_id)
  if (!own || !isOpen(editDeadline(own))) return false
  setSelected(own.id)
  setEditing(own.id)
  return true
}

function rowOf(id: number): Element {
  return document.querySelector(`[data-id="${id}"] .row-actions`) ?? document.body
}
