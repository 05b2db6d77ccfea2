import { For, type JSX, Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey, termsOf } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { mayAddSubscribers } from '../../store/channel-rights.ts'
import { channelOf, isResolved } from '../../store/channels.ts'
import { moveDraft } from '../../store/drafts.ts'
import { isPermitted } from '../../store/groups.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { forgetMove, movedTo } from '../../store/moves.ts'
import { nameOf } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import type { TopicRef } from '../message/commands.ts'
import { mayResolve } from '../message/permissions.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { conversationName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { toggleResolved } from '../topic/commands.ts'
import { createMentionCheck, type MentionCheck } from './mention-check.ts'

/** From how many people on a mention of all of them is worth a word. */
const many = 15

type MentionProps = { conversation: Conversation; mentions: MentionCheck }

/** Shows what the user should know before sending. */
export function Warnings(props: MentionProps & { text: string }) {
  const isWriting = () => props.text.trim() !== ''
  const isToResolved = () =>
    isWriting() && !('userIds' in props.conversation) && isResolved(props.conversation.topic)
  return (
    <div class="compose-warnings" role="status">
      <Show when={isWriting() && movedTo(props.conversation)}>
        {(to) => <Moved from={props.conversation} to={to()} />}
      </Show>
      <Show when={isToResolved()}>
        <Resolved topic={props.conversation as TopicRef} />
      </Show>
      <MentionWarnings {...props} />
    </div>
  )
}

/** Shows what the user should know before saving an edit of a message: of the mentions that it adds. */
export function EditWarnings(props: { message: Message; text: string; sent: string }) {
  const conversation = () => conversationOfMessage(props.message)
  const mentions = createMentionCheck(
    conversation,
    () => props.text,
    () => props.sent,
  )
  return (
    <div class="compose-warnings" role="status">
      <MentionWarnings conversation={conversation()} mentions={mentions} />
    </div>
  )
}

/** Shows whom the mentions of a text notify and whom they do not, if that may be a surprise. */
function MentionWarnings(props: MentionProps) {
  const channel = () =>
    'userIds' in props.conversation ? undefined : channelOf(props.conversation.channelId)
  const mayMentionMany = () => isPermitted(field('realm_can_mention_many_users_group'))
  const isToMany = () => {
    const { isToAll, isNewlyToAll } = props.mentions
    // The server refuses such a text also if it was there before.
    return (mayMentionMany() ? isNewlyToAll() : isToAll()) && (channel()?.subscriber_count ?? 0) > many
  }
  return (
    <>
      <Show when={isToMany()}>
        <Warning>
          {t(mayMentionMany() ? 'warn.many' : 'warn.many_refused', {
            name: channel()?.name ?? '',
            count: channel()?.subscriber_count ?? 0,
          })}
        </Warning>
      </Show>
      <For each={props.mentions.absent()}>
        {(userId) => (
          <NotSubscribed userId={userId} channel={channel()} close={() => props.mentions.close(userId)} />
        )}
      </For>
    </>
  )
}

function Resolved(props: { topic: TopicRef }) {
  return (
    <Warning>
      <span>{t('warn.resolved')}</span>
      <Show when={mayResolve(props.topic.channelId)}>
        <ActionButton run={() => toggleResolved(props.topic)}>{t('topic.unresolve')}</ActionButton>
      </Show>
    </Warning>
  )
}

/** A user was mentioned who does not get the messages of the channel. */
function NotSubscribed(props: { userId: number; channel: Channel | undefined; close(): void }) {
  const mayAdd = () => props.channel && mayAddSubscribers(props.channel)
  const subscribe = async () => {
    const subscriptions = [{ name: props.channel?.name }]
    await post('/users/me/subscriptions', { subscriptions, principals: [props.userId] })
    props.close()
  }
  return (
    <Warning close={props.close}>
      <span>{t('warn.not_subscribed', { name: nameOf(props.userId) })}</span>
      <Show when={mayAdd()}>
        <ActionButton run={subscribe}>{t('warn.subscribe')}</ActionButton>
      </Show>
    </Warning>
  )
}

function Moved(props: { from: Conversation; to: Conversation }) {
  const go = () => {
    moveDraft(props.from, props.to)
    forgetMove(props.from)
    goTo({ view: 'narrow', terms: termsOf(props.to, currentState().user_id) })
  }
  return (
    <Warning close={() => forgetMove(props.from)}>
      <span>{t('warn.moved', { name: conversationName(props.to) })}</span>
      <button type="button" class="button" onClick={go} data-to={conversationKey(props.to)}>
        {t('warn.write_there')}
      </button>
    </Warning>
  )
}

function Warning(props: { close?(): void; children: JSX.Element }) {
  return (
    <p class="compose-warning">
      <Icon name="warning" />
      <span class="compose-warning-text">{props.children}</span>
      <Show when={props.close}>
        {(close) => (
          <button type="button" class="icon-button" aria-label={t('warn.close')} onClick={() => close()()}>
            <Icon name="close" />
          </button>
        )}
      </Show>
    </p>
  )
}
