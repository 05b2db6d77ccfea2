import { createSignal } from 'solid-js'
import { postOnce } from '../../api/client.ts'
import { ShownError } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { dateAndTime, weekdayAndTime } from '../../lib/time.ts'
import { draftTo, writeDraft } from '../../store/drafts.ts'
import { currentState } from '../../store/server-state.ts'
import { openDialog } from '../parts/dialog.tsx'
import { Dialog } from '../parts/dialog-panel.tsx'
import { Form } from '../parts/form.tsx'
import type { MenuEntry } from '../parts/menu.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import type { Box } from './create-composer.ts'
import { localTime, sensibleTimes } from './times.ts'

/** The times at which the text of a box can be sent later, as entries of the menu beside Send. */
export function scheduleEntries(box: Box): MenuEntry[] {
  const [to, key, text] = [box.conversation(), box.key(), box.text()]
  // By the time of the answer, the user may write on, or elsewhere.
  const clear = () => {
    if (draftTo(to)?.content !== text) return
    if (box.key() === key) box.cleared()
    else writeDraft(to, '')
  }
  const schedule = (at: Date) => void scheduleMessage(to, text.trim(), at).then(clear).catch(noticeFailure)
  return [
    ...sensibleTimes(new Date()).map(({ name, at }) => ({
      label: name,
      note: weekdayAndTime(at.getTime() / 1000),
      icon: 'clock' as const,
      run: () => schedule(at),
    })),
    {
      label: t('schedule.choose'),
      run: () => openDialog((close) => <ChooseTime close={close} chosen={schedule} />),
    },
  ]
}

export async function scheduleMessage(conversation: Conversation, content: string, at: Date) {
  const to =
    'userIds' in conversation
      ? {
          type: 'direct',
          to: conversation.userIds.length > 0 ? conversation.userIds : [currentState().user_id],
        }
      : { type: 'channel', to: conversation.channelId, topic: conversation.topic }
  await postOnce('/scheduled_messages', {
    ...to,
    content,
    scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
  })
  const offer = { label: t('schedule.show'), run: () => goTo({ view: 'drafts' }) }
  notice(t('schedule.done', { time: shownTime(at) }), { offer })
}

export function shownTime(at: Date): string {
  return dateAndTime(at.getTime() / 1000)
}

/** Asks for a day and a time. */
export function ChooseTime(props: { close(): void; chosen(at: Date): void }) {
  const tomorrow = new Date()
  tomorrow.setDate(tomorrow.getDate() + 1)
  tomorrow.setHours(9, 0, 0, 0)
  const [value, setValue] = createSignal(localTime(tomorrow))
  const run = async () => {
    const at = new Date(value())
    // The server takes a few minutes ahead and more.
    if (!(at.getTime() > Date.now())) throw new ShownError(t('schedule.past'))
    props.close()
    props.chosen(at)
  }
  return (
    <Dialog title={t('schedule.title')} close={() => props.close()}>
      <Form submit={t('schedule.schedule')} close={props.close} run={run}>
        <label>
          {t('schedule.when')}
          <input
            class="field"
            type="datetime-local"
            required
            autofocus
            min={localTime(new Date())}
            value={value()}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
      </Form>
    </Dialog>
  )
}
