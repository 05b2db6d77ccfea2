import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Message } from '../../store/messages.ts'
import { timeHere } from '../../store/time-format.ts'

/** A rough text of a message, for lines and labels. A poll or a list of tasks is named by its title, not by its source. */
export function excerptOf({ content, submessages }: Pick<Message, 'content' | 'submessages'>): string {
  if (submessages.length === 0) return plainText(content, timeHere)
  const [firstLine = ''] = content.split(/<br>|<\/p>/)
  const [, kind, title] = /^\/(poll|todo)\b\s*(.*)/.exec(plainText(firstLine)) ?? []
  if (!kind) return plainText(content, timeHere)
  const label = t(kind === 'poll' ? 'poll.label' : 'todo.label')
  return title ? `${label}: ${title}` : label
}
