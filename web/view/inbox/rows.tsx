import { type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Term } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { shownTopic } from '../../store/channels.ts'
import { currentState } from '../../store/server-state.ts'
import type { UnreadDirect, UnreadTopic } from '../../store/unread.ts'
import { markRead } from '../message/commands.ts'
import { IconButton } from '../parts/action-button.tsx'
import { directName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { Presence } from '../parts/presence.tsx'
import { Age, MessagePreview } from './preview.tsx'

/** A direct conversation with unread messages. */
export function DirectRow(props: { direct: UnreadDirect }) {
  const ids = () => (props.direct.userIds.length > 0 ? props.direct.userIds : [currentState().user_id])
  return (
    <Row terms={[{ operator: 'dm', operand: ids() }]} unread={props.direct} withName={ids().length > 1}>
      <Show when={ids().length === 1} fallback={<Icon name="people" />}>
        <Presence userId={ids()[0] ?? 0} />
      </Show>
      <span class="inbox-name" dir="auto">
        {directName(props.direct.userIds)}
      </span>
    </Row>
  )
}

/** A topic with unread messages. */
export function TopicRow(props: { topic: UnreadTopic }) {
  const terms = () => [
    { operator: 'channel', operand: props.topic.channelId },
    { operator: 'topic', operand: props.topic.topic },
  ]
  return (
    <Row terms={terms()} unread={props.topic} withName>
      <span class="inbox-name" dir="auto" classList={{ nameless: props.topic.topic === '' }}>
        {shownTopic(props.topic.topic)}
      </span>
    </Row>
  )
}

/**
 * A conversation with unread messages. `children`: its name. `withName`: the newest message is shown with the name of
 * its sender.
 */
function Row(props: {
  terms: Term[]
  unread: UnreadDirect | UnreadTopic
  withName: boolean
  children: JSX.Element
}) {
  return (
    <li class="inbox-row">
      <a data-row href={linkTo({ view: 'narrow', terms: props.terms })}>
        {props.children}
        <MessagePreview id={props.unread.newest} withName={props.withName} />
        <Show when={props.unread.mentions > 0}>
          <Icon name="mention" />
        </Show>
        <Age id={props.unread.newest} />
        <Unread ids={props.unread.ids} isCalm={'calls' in props.unread && props.unread.calls === 0} />
      </a>
      <MarkRead ids={props.unread.ids} />
    </li>
  )
}

function Unread(props: { ids: number[]; isCalm: boolean }) {
  return (
    <span class="count" classList={{ calm: props.isCalm }}>
      <span aria-hidden="true">{props.ids.length}</span>
      <span class="visually-hidden">{t('count.unread', { count: props.ids.length })}</span>
    </span>
  )
}

function MarkRead(props: { ids: number[] }) {
  return <IconButton icon="check" label={t('inbox.mark_read')} run={() => markRead(props.ids)} />
}
