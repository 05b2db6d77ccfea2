import { type ApiFailure, patch, remove, untilDone } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { type Conversation, termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { dateAndTime } from '../../lib/time.ts'
import { addToDraft } from '../../store/drafts.ts'
import { sendMessage } from '../../store/outbox.ts'
import { currentState } from '../../store/server-state.ts'
import type { ScheduledMessage } from '../../store/server-state-types.ts'
import { ChooseTime, scheduleMessage, shownTime } from '../compose/schedule.tsx'
import { ActionButton, IconButton } from '../parts/action-button.tsx'
import { conversationName } from '../parts/conversation-name.ts'
import { openDialog } from '../parts/dialog.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { DueTime, ListedRow } from './listed-row.tsx'

/** A message that goes out later: it can be written on, sent now, moved to another time, or deleted. */
export function ScheduledRow(props: { scheduled: ScheduledMessage }) {
  const conversation = () => conversationOf(props.scheduled)
  const id = () => props.scheduled.scheduled_message_id
  const name = () => conversationName(conversation())
  /** Takes the message back first: what fails then leaves it as it was. */
  const takeBack = (then: () => void) => cancel(props.scheduled).then(then)
  const edit = () => {
    const [to, { content }] = [conversation(), props.scheduled]
    goTo({ view: 'narrow', terms: termsOf(to, currentState().user_id) })
    return takeBack(() => addToDraft(to, content))
  }
  const send = () => {
    const [to, { content }] = [conversation(), props.scheduled]
    return takeBack(() => sendMessage(to, content))
  }
  const discard = () => {
    const [to, { content, scheduled_delivery_timestamp: at }] = [conversation(), props.scheduled]
    const setAgain = () =>
      void scheduleMessage(to, content, new Date(at * 1000)).catch((error) => {
        // Its time may have passed.
        addToDraft(to, content)
        noticeFailure(error)
      })
    return takeBack(() => notice(t('drafts.deleted'), { offer: { label: t('notice.undo'), run: setAgain } }))
  }
  return (
    <ListedRow
      name={name()}
      time={<DueTime text={shownTime(new Date(props.scheduled.scheduled_delivery_timestamp * 1000))} />}
      text={plainText(props.scheduled.rendered_content, dateAndTime).slice(0, 300)}
      error={props.scheduled.failed ? t('drafts.failed') : undefined}
      openLabel={t('drafts.edit', { name: name() })}
      open={edit}
      actions={
        <>
          <ChangeTime id={id()} name={name()} />
          <ActionButton label={t('drafts.send_named', { name: name() })} run={send}>
            {t('drafts.send')}
          </ActionButton>
        </>
      }
      deleteLabel={t('drafts.delete', { name: name() })}
      delete={discard}
    />
  )
}

/** Cancels the sending. If an answer is lost, the next attempt finds the message gone, unless it went out meanwhile. */
function cancel({ scheduled_message_id: id, scheduled_delivery_timestamp: at }: ScheduledMessage) {
  let isRepeated = false
  return untilDone(() =>
    remove(`/scheduled_messages/${id}`).catch((error: ApiFailure) => {
      const isCanceled = isRepeated && error.status === 404 && at * 1000 > Date.now()
      isRepeated = true
      if (!isCanceled) throw error
    }),
  )
}

function ChangeTime(props: { id: number; name: string }) {
  const label = () => t('drafts.change_time', { name: props.name })
  const change = (at: Date) => {
    const params = { scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000) }
    void patch(`/scheduled_messages/${props.id}`, params).catch(noticeFailure)
  }
  return (
    <IconButton
      icon="clock"
      label={label()}
      run={() => openDialog((close) => <ChooseTime close={close} chosen={change} />)}
    />
  )
}

function conversationOf({ type, to, topic = '' }: ScheduledMessage): Conversation {
  if (type === 'stream') return { channelId: Array.isArray(to) ? (to[0] ?? 0) : to, topic }
  const ids = Array.isArray(to) ? to : [to]
  return { userIds: ids.filter((id) => id !== currentState().user_id) }
}
