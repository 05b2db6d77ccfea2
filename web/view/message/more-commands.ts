import { get, post } from '../../api/client.ts'
import { insertIntoComposer } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { termsOf } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import { holdReading } from '../feed/reading.ts'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { mentionOf } from './commands.ts'

// Commands on messages that the first load does not need.

/** How many messages one request covers that changes the flags of a narrow. */
const flagBatch = 1000

/** The address of a message, for other people. */
export function messageLink(message: Message) {
  const terms = termsOf(conversationOfMessage(message), currentState().user_id)
  return `${currentState().realm_url}/${linkTo({ view: 'narrow', terms, near: message.id })}`
}

export async function sourceOf(message: Message): Promise<string> {
  const params = { apply_markdown: false, allow_empty_topic_name: true }
  const { message: found } = await get<{ message: Message }>(`/messages/${message.id}`, params)
  return found.content
}

/** The Markdown that quotes a message. Its fence is longer than any within. */
export async function quoteOf(message: Message): Promise<string> {
  const source = await sourceOf(message)
  const longest = Math.max(2, ...[...source.matchAll(/^\s*(`{3,})/gm)].map(([, marks = '']) => marks.length))
  const fence = '`'.repeat(longest + 1)
  const said = t('menu.said')
  return `${mentionOf(message.sender_id, true)} [${said}](${messageLink(message)}):\n${fence}quote\n${source}\n${fence}\n`
}

export function quote(message: Message) {
  const to = conversationOfMessage(message)
  quoteOf(message).then((text) => insertIntoComposer(text, to), noticeFailure)
}

/** Marks a message and those after it in its conversation as unread, and leaves them so while the view is open. */
export async function markUnreadFrom(message: Message) {
  await holdReading(message.id)
  const narrow = termsOf(conversationOfMessage(message), currentState().user_id)
  try {
    let anchor = message.id
    for (let isDone = false, isFirst = true; !isDone; isFirst = false) {
      const done = await post<{ found_newest: boolean; last_processed_id: number | null }>(
        '/messages/flags/narrow',
        {
          anchor: String(anchor),
          include_anchor: isFirst,
          num_before: 0,
          num_after: flagBatch,
          narrow,
          op: 'remove',
          flag: 'read',
        },
      )
      anchor = done.last_processed_id ?? anchor
      isDone = done.found_newest || done.last_processed_id === null
    }
    notice(t('menu.marked_unread'))
  } catch (error) {
    noticeFailure(error)
  }
}
