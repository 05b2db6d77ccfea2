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

/** The conversation of the messages below it; both parts link there. */
export function ConversationBar(props: { message: Message }) {
  const conversation = () => conversationOfMessage(props.message)
  const target = () => linkTo({ view: 'narrow', terms: termsOf(conversation(), currentState().user_id) })
  return (
    <p class="conversation-bar" classList={{ direct: props.message.type === 'private' }}>
      <Show
        when={props.message.type === 'stream' && props.message}
        fallback={
          <a href={target()} dir="auto">
            <Icon name="people" /> {directName((conversation() as { userIds: number[] }).userIds)}
          </a>
        }
      >
        {(one) => (
          <>
            <Show when={channelAt(route()) !== one().stream_id}>
              <ChannelPart message={one()} />
            </Show>
            <a href={target()} dir="auto" classList={{ nameless: one().subject === '' }}>
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
function ChannelPart(props: { message: Message }) {
  const id = () => props.message.stream_id ?? 0
  return (
    <>
      <a href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: id() }] })} dir="auto">
        <ChannelIcon channel={channelOf(id())} />
        {channelOf(id())?.name ?? String(props.message.display_recipient)}
      </a>
      <Icon name="right" />
    </>
  )
}

/** The topic, with the words of the search marked. */
function TopicText(props: { message: Message }) {
  const match = () => matchedTopic(shownTerms(), props.message)
  return (
    <Show when={match()} fallback={shownTopic(props.message.subject)}>
      {(html) => (
        <span>
          <For each={markedParts(html())}>
            {({ text, isMarked }) => (isMarked ? <span class="highlight">{text}</span> : text)}
          </For>
        </span>
      )}
    </Show>
  )
}
