import { Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { linkTo } from '../../lib/router.ts'
import { shownTopic } from '../../store/channels.ts'
import { currentState } from '../../store/server-state.ts'
import type { UnreadDirect, UnreadTopic } from '../../store/unread.ts'
import { directName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { Presence } from '../parts/presence.tsx'
import { Age, MessagePreview } from './preview.tsx'

/** A direct conversation with unread messages. */
export function DirectRow(props: { direct: UnreadDirect }) {
  const ids = () => (props.direct.userIds.length > 0 ? props.direct.userIds : [currentState().user_id])
  return (
    <li class="inbox-row">
      <a href={linkTo({ view: 'narrow', terms: [{ operator: 'dm', operand: ids() }] })}>
        <Show when={ids().length === 1} fallback={<Icon name="people" />}>
          <Presence userId={ids()[0] ?? 0} />
        </Show>
        <span class="inbox-name" dir="auto">
          {directName(props.direct.userIds)}
        </span>
        <MessagePreview id={props.direct.newest} withName={props.direct.userIds.length > 1} />
        <Show when={props.direct.mentions > 0}>
          <Icon name="mention" />
        </Show>
        <Age id={props.direct.newest} />
        <Unread ids={props.direct.ids} />
      </a>
      <MarkRead ids={props.direct.ids} />
    </li>
  )
}

/** A topic with unread messages. */
export function TopicRow(props: { topic: UnreadTopic }) {
  const terms = () => [
    { operator: 'channel', operand: props.topic.channelId },
    { operator: 'topic', operand: props.topic.topic },
  ]
  return (
    <li class="inbox-row">
      <a href={linkTo({ view: 'narrow', terms: terms() })}>
        <span class="inbox-name" dir="auto" classList={{ nameless: props.topic.topic === '' }}>
          {shownTopic(props.topic.topic)}
        </span>
        <MessagePreview id={props.topic.newest} withName />
        <Show when={props.topic.mentions > 0}>
          <Icon name="mention" />
        </Show>
        <Age id={props.topic.newest} />
        <Unread ids={props.topic.ids} />
      </a>
      <MarkRead ids={props.topic.ids} />
    </li>
  )
}

function Unread(props: { ids: number[] }) {
  return (
    <span class="count">
      <span aria-hidden="true">{props.ids.length}</span>
      <span class="visually-hidden">{t('count.unread', { count: props.ids.length })}</span>
    </span>
  )
}

function MarkRead(props: { ids: number[] }) {
  return (
    <button
      type="button"
      class="icon-button"
      title={t('inbox.mark_read')}
      aria-label={t('inbox.mark_read')}
      onClick={() =>
        void post('/messages/flags', { messages: props.ids, op: 'add', flag: 'read' }).catch(noticeFailure)
      }
    >
      <Icon name="check" />
    </button>
  )
}
