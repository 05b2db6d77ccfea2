import { createEffect, createSignal, on, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Conversation, termsOf, titled } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import type { NewConversation } from '../../store/composing.ts'
import { nowhere } from '../../store/composing.ts'
import { moveDraft } from '../../store/drafts.ts'
import { currentState } from '../../store/server-state.ts'
import { topicRule } from '../../store/topic-rule.ts'
import { focusFirst, wayBack } from '../parts/focus.ts'
import { Icon } from '../parts/icon.tsx'
import { Composer } from './composer.tsx'
import { Recipients } from './recipients.tsx'
import { ChannelField, TopicField } from './topic-field.tsx'

/** A box with fields for the address of a conversation that is begun. */
export function BeginBox(props: { start: NewConversation; close?(): void; focus?: boolean }) {
  const address = createAddress(() => props.start)
  let form: HTMLDivElement | undefined
  const before = wayBack()
  const close = () => {
    if (!props.close) return
    props.close()
    focusFirst(before)
  }
  const sent = () => {
    const terms = termsOf(address.conversation(), currentState().user_id)
    props.close?.()
    goTo({ view: 'narrow', terms })
  }
  return (
    <div ref={form} class="begin-box">
      <Composer
        conversation={address.conversation()}
        isReply={false}
        missing={address.missing()}
        files={props.start.files}
        sent={sent}
        escaped={close}
        head={
          <AddressFields
            kind={props.start.kind}
            conversation={address.conversation()}
            change={address.change}
            isFixed={!props.close}
            done={() => form?.querySelector('textarea')?.focus()}
            focus={props.focus ?? false}
          />
        }
        tail={
          <Show when={props.close}>
            <CloseButton close={close} />
          </Show>
        }
      />
    </div>
  )
}

/** The conversation that is begun, and what its address lacks. */
function createAddress(start: () => NewConversation) {
  const [conversation, setConversation] = createSignal(placeOf(start().conversation))
  /** The draft that the conversation had before it was chosen here. */
  let own = ''
  const restart = (to: Conversation) => {
    own = ''
    setConversation(placeOf(to))
  }
  createEffect(on(() => start().conversation, restart, { defer: true }))
  const change = (chosen: Conversation) => {
    const to = placeOf(chosen)
    own = moveDraft(conversation(), to, own)
    setConversation(to)
  }
  const missing = () => {
    const to = conversation()
    if ('userIds' in to) return undefined
    if (to.channelId === 0) return t(start().kind === 'direct' ? 'begin.no_people' : 'begin.no_channel')
    return topicRule(to.channelId) === 'required' && !to.topic ? t('begin.no_topic') : undefined
  }
  return { conversation, change, missing }
}

function AddressFields(props: {
  kind: NewConversation['kind']
  conversation: Conversation
  change(to: Conversation): void
  isFixed: boolean
  done(): void
  focus: boolean
}) {
  return (
    <div class="begin-head">
      <Show
        when={props.kind === 'topic'}
        fallback={
          <Recipients
            userIds={peopleOf(props.conversation)}
            change={(userIds) => props.change(userIds.length > 0 ? { userIds } : nowhere)}
            done={props.done}
            focus={props.focus}
          />
        }
      >
        <ChannelAndTopic
          conversation={props.conversation as { channelId: number; topic: string }}
          isFixed={props.isFixed}
          change={props.change}
          done={props.done}
          focus={props.focus}
        />
      </Show>
    </div>
  )
}

/** Beside the address on the screen, and behind the text for the keys: Tab leads from the address to the text, as in mails. */
function CloseButton(props: { close(): void }) {
  return (
    <button
      type="button"
      class="icon-button begin-close"
      title={t('begin.close')}
      aria-label={t('begin.close')}
      onClick={() => props.close()}
    >
      <Icon name="close" />
    </button>
  )
}

/** Returns the conversation of a text that has no topic yet: not the empty topic, unless the channel has no other. */
function placeOf(conversation: Conversation): Conversation {
  if ('userIds' in conversation || conversation.topic !== '') return titled(conversation)
  const { channelId } = conversation
  const isUntitled = channelId !== 0 && topicRule(channelId) !== 'none'
  return isUntitled ? { channelId, topic: '', isUntitled } : titled(conversation)
}

function ChannelAndTopic(props: {
  conversation: { channelId: number; topic: string }
  /** Whether the channel is that of the view. */
  isFixed: boolean
  change(to: Conversation): void
  done(): void
  focus: boolean
}) {
  let topic: HTMLInputElement | undefined
  return (
    <>
      <Show when={!props.isFixed}>
        <ChannelField
          channelId={props.conversation.channelId}
          change={(channelId) => props.change({ channelId, topic: props.conversation.topic })}
          // Some channels have no topics.
          done={() => (topic?.isConnected ? topic.focus() : props.done())}
        />
      </Show>
      <Show when={topicRule(props.conversation.channelId) !== 'none'}>
        <TopicField
          channelId={props.conversation.channelId}
          topic={props.conversation.topic}
          change={(topic) => props.change({ channelId: props.conversation.channelId, topic })}
          done={props.done}
          focus={props.focus}
          ref={(made) => {
            topic = made
          }}
        />
      </Show>
    </>
  )
}

function peopleOf(conversation: Conversation): number[] {
  return 'userIds' in conversation ? conversation.userIds : []
}
