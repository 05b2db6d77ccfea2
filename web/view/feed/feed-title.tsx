import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { plainText } from '../../lib/plain-text.ts'
import { channelOfTerm, conversationOf, type Term } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { channelOf, shownChannel, shownTopic } from '../../store/channels.ts'
import { currentState, field } from '../../store/server-state.ts'
import { isReady } from '../../store/session.ts'
import { ChannelIcon } from '../parts/channel-icon.tsx'
import { directName, narrowName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'

/** Names the feed, as the title of its view. */
export function FeedTitle(props: { terms: Term[] }) {
  const conversation = () => conversationOf(props.terms, currentState().user_id)
  const topic = () => {
    const here = conversation()
    return here && 'channelId' in here ? here.topic : undefined
  }
  const channelId = () => {
    const [first, second] = props.terms
    // Other terms make it a search within the channel.
    if (props.terms.length > 2 || (second && second.operator !== 'topic')) return undefined
    return channelOfTerm(first)
  }
  const name = () => {
    const here = conversation()
    return here && 'userIds' in here ? directName(here.userIds) : narrowName(props.terms)
  }
  return (
    <Show when={isReady()}>
      <Show
        when={channelId()}
        fallback={
          <span class="title-text" dir="auto">
            {name()}
          </span>
        }
      >
        {(id) => <ChannelTitle channelId={id()} topic={topic()} />}
      </Show>
      <Show when={field('subscriptions') === undefined}>{t('app.loading')}</Show>
    </Show>
  )
}

function ChannelTitle(props: { channelId: number; topic: string | undefined }) {
  const channel = () => channelOf(props.channelId)
  return (
    <>
      <ChannelIcon channel={channel()} />
      <a
        href={linkTo({ view: 'narrow', terms: [{ operator: 'channel', operand: props.channelId }] })}
        dir="auto"
      >
        {shownChannel(props.channelId)}
      </a>
      <Show
        when={props.topic !== undefined}
        fallback={
          <span class="title-note" dir="auto">
            {plainText(channel()?.rendered_description ?? '')}
          </span>
        }
      >
        <Icon name="right" />
        <span class="title-text" dir="auto" classList={{ nameless: props.topic === '' }}>
          {shownTopic(props.topic ?? '')}
        </span>
      </Show>
    </>
  )
}
