import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { dateAndTime } from '../../lib/time.ts'
import type { Message } from '../../store/messages.ts'
import { senderName } from '../../store/people.ts'

/**
 * A rough text of a message, for lines and labels. A poll or a list of tasks is named by its title, not by its source. One that
 * begins with /me has its sender's name in place of that word.
 */
export function excerptOf(message: Message | Pick<Message, 'content' | 'submessages'>): string {
  const { content, submessages } = message
  const text = plainText(content, dateAndTime)
  if ('is_me_message' in message && message.is_me_message)
    return text.replace('/me', () => senderName(message))
  if (submessages.length === 0) return text
  const [firstLine = ''] = content.split(/<br>|<\/p>/)
  const [, kind, title] = /^\/(poll|todo)\b\s*(.*)/.exec(plainText(firstLine)) ?? []
  if (!kind) return text
  const label = t(kind === 'poll' ? 'poll.label' : 'todo.label')
  return title ? `${label}: ${title}` : label
}
