import { post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { goToHash } from '../../lib/router.ts'
import { dateAndTime } from '../../lib/time.ts'
import type { Reminder } from '../../store/server-state-types.ts'
import { shownTime } from '../compose/schedule.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { DueTime, ListedRow } from './listed-row.tsx'

/** A reminder that is set: it leads to its message, and can be deleted. */
export function ReminderRow(props: { reminder: Reminder }) {
  const text = () => textOf(props.reminder)
  const name = () => text().slice(0, 120)
  const discard = async () => {
    const {
      reminder_id: id,
      reminder_target_message_id: message_id,
      scheduled_delivery_timestamp,
    } = props.reminder
    const setAgain = () =>
      void post('/reminders', { message_id, scheduled_delivery_timestamp }).catch(noticeFailure)
    await remove(`/reminders/${id}`)
    notice(t('drafts.reminder_deleted'), { offer: { label: t('notice.undo'), run: setAgain } })
  }
  return (
    <ListedRow
      time={<DueTime text={shownTime(new Date(props.reminder.scheduled_delivery_timestamp * 1000))} />}
      text={text()}
      error={props.reminder.failed ? t('drafts.reminder_failed') : undefined}
      openLabel={t('drafts.reminder_open', { text: name() })}
      open={() => openMessage(props.reminder)}
      deleteLabel={t('drafts.reminder_delete', { text: name() })}
      delete={discard}
    />
  )
}

/**
 * Returns the quoted text, without the words around it, which the server writes in English. A reminder of a poll, for
 * example, has no quote.
 */
function textOf({ rendered_content: html }: Reminder) {
  const quoted = /<blockquote>(.*)<\/blockquote>/s.exec(html)?.[1] ?? html.replace(/^<p>.*?<\/p>/s, '')
  return plainText(quoted.trim() ? quoted : html, dateAndTime).slice(0, 300)
}

/** Goes where the message was when the reminder was set; the view goes on from there if it has moved since. */
function openMessage({ rendered_content }: Reminder) {
  goToHash(/#narrow[^"]*/.exec(rendered_content)?.[0] ?? '#feed')
}
