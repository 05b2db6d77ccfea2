import { For, Show } from 'solid-js'
import { markedParts } from '../../lib/marked-text.ts'
import { termsOf } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { channelOf, shownTopic } from '../../store/channels.ts'
import { matchIn } from '../../store/matches.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { currentState } from '../../store/server-state.ts'
import { shownTerms } from '../message/body.tsx'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { directName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'

/** Where the messages below it belong; both parts lead there. */
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
            <a
              href={linkTo({
                view: 'narrow',
                terms: [{ operator: 'channel', operand: one().stream_id ?? 0 }],
              })}
              dir="auto"
            >
              <ChannelIcon channel={channelOf(one().stream_id ?? 0)} />
              {channelOf(one().stream_id ?? 0)?.name ?? String(one().display_recipient)}
            </a>
            <Icon name="right" />
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

/** The topic, with the words of the search marked. */
function TopicText(props: { message: Message }) {
  const match = () => matchIn(shownTerms(), props.message.id)?.topic
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
