import { Show } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { channelOf, subscribed } from '../../store/channels.ts'
import { ActionButton } from '../parts/action-button.tsx'

/** Says that the user is not subscribed to the channel that is open, and offers it. */
export function SubscribeBar(props: { conversation: Conversation | undefined }) {
  const channel = () => {
    const here = props.conversation
    if (!here || 'userIds' in here || subscribed().has(here.channelId)) return undefined
    return channelOf(here.channelId)
  }
  return (
    <Show when={channel()}>
      {(found) => (
        <p class="subscribe-bar">
          {t('channel.preview')}
          <ActionButton
            run={() => post('/users/me/subscriptions', { subscriptions: [{ name: found().name }] })}
          >
            {t('channel.subscribe')}
          </ActionButton>
        </p>
      )}
    </Show>
  )
}
