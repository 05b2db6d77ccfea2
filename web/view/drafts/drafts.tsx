import './drafts.css'
import { For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationKey, termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { shortAge } from '../../lib/time.ts'
import { beginDirect, beginTopic } from '../../store/composing.ts'
import { allDrafts, deleteDraft, type ListedDraft, takeUp } from '../../store/drafts.ts'
import { sendMessage } from '../../store/outbox.ts'
import { currentState, field } from '../../store/server-state.ts'
import { topicRule } from '../../store/topic-rule.ts'
import { mayNotSend } from '../compose/permission.ts'
import { now } from '../parts/clock.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { notice } from '../parts/notices.tsx'
import { ViewHead } from '../shell/view-head.tsx'
import { ReminderRow } from './reminder-row.tsx'
import { ScheduledRow } from './scheduled-row.tsx'

/** What the user has not sent yet: drafts, messages that go out later, and the reminders that are set. */
export function Drafts(props: { openRail(): void }) {
  const scheduled = () => field('scheduled_messages') ?? []
  const reminders = () => field('reminders') ?? []
  return (
    <>
      <ViewHead openRail={props.openRail} title={t('view.drafts')} />
      <div class="view-body drafts">
        <Show when={scheduled().length > 0}>
          <section>
            <h2>{t('drafts.scheduled')}</h2>
            <ul>
              <For each={scheduled()}>{(one) => <ScheduledRow scheduled={one} />}</For>
            </ul>
          </section>
        </Show>
        <Show when={reminders().length > 0}>
          <section>
            <h2>{t('drafts.reminders')}</h2>
            <ul>
              <For each={reminders()}>{(one) => <ReminderRow reminder={one} />}</For>
            </ul>
          </section>
        </Show>
        <Show when={allDrafts().length > 0}>
          <section>
            <h2>{t('drafts.title')}</h2>
            <ul>
              <For each={allDrafts()}>{(draft) => <DraftRow draft={draft} />}</For>
            </ul>
          </section>
        </Show>
        <Show when={allDrafts().length + scheduled().length + reminders().length === 0}>
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

function DraftRow(props: { draft: ListedDraft }) {
  const conversation = () => props.draft.conversation
  const isAddressed = () => conversationKey(conversation()) !== '0:'
  const isComplete = () => {
    const to = conversation()
    return 'userIds' in to || !to.isUntitled || topicRule(to.channelId) !== 'required'
  }
  const maySend = () => isAddressed() && isComplete() && mayNotSend(conversation()) === undefined
  const name = () => (isAddressed() ? conversationName(conversation()) : t('drafts.nowhere'))
  const edit = () => {
    takeUp(props.draft)
    const to = conversation()
    if (!isAddressed()) beginDirect()
    else if (!('userIds' in to) && to.isUntitled) beginTopic(to.channelId)
    else goTo({ view: 'narrow', terms: termsOf(to, currentState().user_id) })
  }
  return (
    <li class="draft-row">
      <button type="button" class="draft-open" onClick={edit} aria-label={t('drafts.edit', { name: name() })}>
        <span class="draft-head">
          <strong dir="auto">{name()}</strong>
          <span class="draft-time">{shortAge(props.draft.at, now())}</span>
        </span>
        <span class="draft-text" dir="auto">
          {props.draft.content.slice(0, 300)}
        </span>
      </button>
      <span class="draft-actions">
        <button
          type="button"
          class="button"
          disabled={!maySend()}
          onClick={() => {
            const [to, shown, content] = [conversation(), name(), props.draft.content.trim()]
            deleteDraft(props.draft)
            sendMessage(to, content)
            notice(t('drafts.sent', { name: shown }))
          }}
        >
          {t('drafts.send')}
        </button>
        <button
          type="button"
          class="icon-button"
          title={t('message.delete')}
          aria-label={t('drafts.delete', { name: name() })}
          onClick={() => {
            const undo = deleteDraft(props.draft)
            notice(t('draft.discarded'), { offer: { label: t('notice.undo'), run: undo } })
          }}
        >
          <Icon name="trash" />
        </button>
      </span>
    </li>
  )
}
