import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationOf, type Term, wholeChannel } from '../../lib/route.ts'
import { channelOf } from '../../store/channels.ts'
import { currentState } from '../../store/server-state.ts'
import { isReady } from '../../store/session.ts'
import { areDetailsOpen, detailsOf, toggleDetails } from '../details/open-details.ts'
import { Icon } from '../parts/icon.tsx'
import { openMenuOf } from '../topic/open-menu.ts'

/** Shows the actions for the open topic or channel, in the head of the feed. */
export function FeedTools(props: { terms: Term[] }) {
  return (
    <>
      <DetailsButton terms={props.terms} />
      <Show when={isReady() && menuName(props.terms)}>
        {(name) => (
          <button
            type="button"
            class="icon-button"
            title={t(name())}
            aria-label={t(name())}
            aria-haspopup="menu"
            onClick={(event) =>
              openMenuOf({ view: 'narrow', terms: props.terms }, event.currentTarget, t(name()))
            }
          >
            <Icon name="more" />
          </button>
        )}
      </Show>
    </>
  )
}

function menuName(terms: Term[]) {
  const here = conversationOf(terms, currentState().user_id)
  if (here) return 'userIds' in here ? 'direct.menu' : 'topic.menu'
  return wholeChannel(terms) === undefined ? undefined : 'channel.menu'
}

/** Shows who takes part, and with how many. */
function DetailsButton(props: { terms: Term[] }) {
  const of = () => (isReady() ? detailsOf({ view: 'narrow', terms: props.terms }) : undefined)
  const count = () => {
    const here = of()
    if (!here) return 0
    return 'channelId' in here ? (channelOf(here.channelId)?.subscriber_count ?? 0) : here.userIds.length + 1
  }
  return (
    <Show when={of()}>
      <button
        type="button"
        class="icon-button members-button"
        title={t('channel.members')}
        aria-label={t('channel.members_count', { count: count() })}
        aria-expanded={areDetailsOpen()}
        aria-controls="details"
        onClick={() => toggleDetails()}
      >
        <Icon name="people" />
        <Show when={count()}>{(shown) => <span>{shown()}</span>}</Show>
      </button>
    </Show>
  )
}
