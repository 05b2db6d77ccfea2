import './drafts.css'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { isNowhere } from '../../lib/draft-merge.ts'
import { t } from '../../lib/i18n.ts'
import { conversationKey, termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { shortAge } from '../../lib/time.ts'
import { beginTopic, setBeginning } from '../../store/composing.ts'
import { allDrafts, deleteDraft, type ListedDraft, takeUp } from '../../store/draft-list.ts'
import { outgoing, sendMessage } from '../../store/outbox.ts'
import { currentState, field } from '../../store/server-state.ts'
import { topicRule } from '../../store/topic-rule.ts'
import { uploadsTo } from '../../store/uploads.ts'
import { OutgoingElsewhere } from '../compose/boxes.tsx'
import { mayNotSend } from '../compose/permission.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { now } from '../parts/clock.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { notice } from '../parts/notices.tsx'
import { ViewHead } from '../shell/view-head.tsx'
import { ListedRow } from './listed-row.tsx'
import { ReminderRow } from './reminder-row.tsx'
import { ScheduledRow } from './scheduled-row.tsx'

/** Lists what the user has not sent yet: drafts, messages that go out later, and the reminders that are set. */
export function Drafts() {
  const scheduled = () => field('scheduled_messages') ?? []
  const reminders = () => field('reminders') ?? []
  const unsent = () => outgoing().filter(({ status }) => status === 'failed').length
  return (
    <>
      <ViewHead title={t('view.drafts')} />
      <div class="view-body drafts">
        <OutgoingElsewhere isFailedOnly />
        <Part title={t('drafts.scheduled')} items={scheduled()} keyOf={(one) => one.scheduled_message_id}>
          {(one) => <ScheduledRow scheduled={one()} />}
        </Part>
        <Part title={t('drafts.reminders')} items={reminders()} keyOf={(one) => one.reminder_id}>
          {(one) => <ReminderRow reminder={one()} />}
        </Part>
        <Part title={t('drafts.title')} items={allDrafts()} keyOf={(one) => one.key}>
          {(one) => <DraftRow draft={one()} />}
        </Part>
        <Show when={allDrafts().length + scheduled().length + reminders().length + unsent() === 0}>
          <div class="empty">
            <Icon name="drafts" />
            <h2>{t('drafts.empty_title')}</h2>
            <p>{t('drafts.empty')}</p>
          </div>
        </Show>
      </div>
    </>
  )
}

function Part<T>(props: {
  title: string
  items: readonly T[]
  keyOf(item: T): string | number
  children(item: () => T): JSX.Element
}) {
  const byKey = createMemo(() => new Map(props.items.map((item) => [props.keyOf(item), item])))
  return (
    <Show when={props.items.length > 0}>
      <section>
        <h2>{props.title}</h2>
        <ul>
          {/* By keys, as drafts are made anew when one changes: a row keeps the focus. */}
          <For each={[...byKey().keys()]}>
            {(key) => <Show when={byKey().get(key)}>{(item) => props.children(item)}</Show>}
          </For>
        </ul>
      </section>
    </Show>
  )
}

function DraftRow(props: { draft: ListedDraft }) {
  const conversation = () => props.draft.conversation
  const isAddressed = () => !isNowhere(conversation())
  const isComplete = () => {
    const to = conversation()
    return 'userIds' in to || !to.isUntitled || topicRule(to.channelId) !== 'required'
  }
  const isUploading = () => uploadsTo(conversationKey(conversation())).length > 0
  const maySend = () =>
    isAddressed() && isComplete() && !isUploading() && mayNotSend(conversation()) === undefined
  const name = () => (isAddressed() ? conversationName(conversation()) : t('drafts.nowhere'))
  const edit = () => {
    takeUp(props.draft)
    const to = conversation()
    if (isNowhere(to))
      setBeginning({ kind: 'topic' in to && to.topic ? 'topic' : 'direct', conversation: to })
    else if (!('userIds' in to) && to.isUntitled) beginTopic(to.channelId)
    else goTo({ view: 'narrow', terms: termsOf(to, currentState().user_id) })
  }
  const send = () => {
    const [to, shown, content] = [conversation(), name(), props.draft.content.trim()]
    deleteDraft(props.draft)
    sendMessage(to, content)
    notice(t('drafts.sent', { name: shown }))
  }
  const discard = () => {
    const undo = deleteDraft(props.draft)
    notice(t('draft.discarded'), { offer: { label: t('notice.undo'), run: undo } })
  }
  return (
    <ListedRow
      name={name()}
      time={shortAge(props.draft.at, now())}
      text={props.draft.content.slice(0, 300)}
      openLabel={t('drafts.edit', { name: name() })}
      open={edit}
      actions={
        <ActionButton isDisabled={!maySend()} label={t('drafts.send_named', { name: name() })} run={send}>
          {t('drafts.send')}
        </ActionButton>
      }
      deleteLabel={t('drafts.delete', { name: name() })}
      delete={discard}
    />
  )
}
