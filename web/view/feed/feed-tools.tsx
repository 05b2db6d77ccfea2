import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationOf, type Term } from '../../lib/route.ts'
import { channelOf } from '../../store/channels.ts'
import { currentState } from '../../store/server-state.ts'
import { isReady } from '../../store/session.ts'
import { areDetailsOpen, detailsOf, toggleDetails } from '../details/open-details.ts'
import { Icon } from '../parts/icon.tsx'
import { openMenu } from '../parts/menu.tsx'
import { channelMenu, directMenu, topicMenu } from '../topic/menus.ts'

/** What can be done with the topic or channel that is open, in the head of the feed. */
export function FeedTools(props: { terms: Term[] }) {
  const channelId = () => {
    const [first, second] = props.terms
    if (props.terms.length > 2 || (second && second.operator !== 'topic')) return undefined
    return first?.operator === 'channel' && typeof first.operand === 'number' ? first.operand : undefined
  }
  const topic = () => {
    const here = conversationOf(props.terms, currentState().user_id)
    return here && 'channelId' in here ? here : undefined
  }
  const direct = () => {
    const here = conversationOf(props.terms, currentState().user_id)
    return here && 'userIds' in here ? here.userIds : undefined
  }
  return (
    <>
      <DetailsButton terms={props.terms} />
      <Show when={isReady() && direct()}>
        {(userIds) => (
          <button
            type="button"
            class="icon-button"
            title={t('direct.menu')}
            aria-label={t('direct.menu')}
            aria-haspopup="menu"
            onClick={(event) =>
              openMenu(event.currentTarget, t('direct.menu'), directMenu(userIds(), currentState().user_id))
            }
          >
            <Icon name="more" />
          </button>
        )}
      </Show>
      <Show when={isReady() && channelId()}>
        {(id) => (
          <>
            <Show when={topic()} keyed>
              {(one) => (
                <button
                  type="button"
                  class="icon-button"
                  title={t('topic.menu')}
                  aria-label={t('topic.menu')}
                  aria-haspopup="menu"
                  onClick={(event) => openMenu(event.currentTarget, t('topic.menu'), topicMenu(one))}
                >
                  <Icon name="more" />
                </button>
              )}
            </Show>
            <Show when={!topic()}>
              <button
                type="button"
                class="icon-button"
                title={t('channel.menu')}
                aria-label={t('channel.menu')}
                aria-haspopup="menu"
                onClick={(event) => openMenu(event.currentTarget, t('channel.menu'), channelMenu(id()))}
              >
                <Icon name="more" />
              </button>
            </Show>
          </>
        )}
      </Show>
    </>
  )
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
