import { For, Show } from 'solid-js'
import { markedParts } from '../../lib/marked-text.ts'
import { termsOf } from '../../lib/route.ts'
import { linkTo, route } from '../../lib/router.ts'
import { channelOf, shownTopic } from '../../store/channels.ts'
import { matchedTopic } from '../../store/matches.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { channelAt } from '../../store/places.ts'
import { currentState } from '../../store/server-state.ts'
import { shownTerms } from '../message/body.tsx'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { directName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'

/** The conversation of the messages below it; both parts link there. The keyboard passes over a copy of another bar. */
export function ConversationBar(props: { message: Message; isCopy?: boolean }) {
  const tabIndex = () => (props.isCopy ? -1 : undefined)
  const conversation = () => conversationOfMessage(props.message)
  const target = () => linkTo({ view: 'narrow', terms: termsOf(conversation(), currentState().user_id) })
  return (
    <p class="conversation-bar" classList={{ direct: props.message.type === 'private' }}>
      <Show
        when={props.message.type === 'stream' && props.message}
        fallback={
          <a href={target()} dir="auto" tabindex={tabIndex()}>
            <Icon name="people" />
            <span>{directName((conversation() as { userIds: number[] }).userIds)}</span>
          </a>
        }
      >
        {(one) => (
          <>
            <Show when={channelAt(route()) !== one().stream_id}>
              <ChannelPart message={one()} tabIndex={tabIndex()} />
            </Show>
            <a
              href={target()}
              dir="auto"
              tabindex={tabIndex()}
              classList={{ nameless: one().subject === '' }}
            >
              <TopicText message={one()} />
            </a>
            <For each={one().topic_links}>
              {(link) => (
                <a
                  class="topic-link"
                  href={link.url}
                  title={link.text}
                  target="_blank"
                  rel="noopener noreferrer"
                  tabindex={tabIndex()}
                >
                  <Icon name="link" />
                </a>
              )}
            </For>
          </>
        )}
      </Show>
    </p>
  )
}

/** The channel, which goes without saying in the feed of a channel. */
function ChannelPart(props: { message: Message; tabIndex: number | undefined }) {
  const id = () => props.message.stream_id ?? 0
  return (
    <>
      <a
        href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: id() }] })}
        dir="auto"
        tabindex={props.tabIndex}
      >
        <ChannelIcon channel={channelOf(id())} />
        <span>{channelOf(id())?.name ?? String(props.message.display_recipient)}</span>
      </a>
      <Icon name="right" />
    </>
  )
}

/** The topic, with the words of the search marked. */
function TopicText(props: { message: Message }) {
  const match = () => matchedTopic(shownTerms(), props.message)
  return (
    <span>
      <Show when={match()} fallback={shownTopic(props.message.subject)}>
        {(html) => (
          <For each={markedParts(html())}>
            {({ text, isMarked }) => (isMarked ? <span class="highlight">{text}</span> : text)}
          </For>
        )}
      </Show>
    </span>
  )
}
