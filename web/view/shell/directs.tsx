import { createMemo, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationKey } from '../../lib/route.ts'
import { beginDirect } from '../../store/composing.ts'
import { currentState, field } from '../../store/server-state.ts'
import { unreadDirects, unreadInDirect } from '../../store/unread.ts'
import { directName } from '../parts/conversation-name.ts'
import { Icon } from '../parts/icon.tsx'
import { Presence } from '../parts/presence.tsx'
import { RailButton, RailItem } from './rail-item.tsx'
import { Section } from './section.tsx'

/** How many direct conversations are listed. */
const directsShown = 8

/** The newest direct conversations, and what begins one. */
export function Directs() {
  const shown = createMemo(() => {
    const recent = field('recent_private_conversations') ?? []
    const unread = unreadDirects().map(({ userIds, newest }) => ({
      user_ids: userIds,
      max_message_id: newest,
    }))
    const all = new Map(
      [...recent, ...unread].map((one) => [conversationKey({ userIds: one.user_ids }), one]),
    )
    return [...all.values()].sort((a, b) => b.max_message_id - a.max_message_id).slice(0, directsShown)
  })
  return (
    <Section title={t('rail.direct')} name="direct">
      {/* By texts, as the objects are made anew with each message: a link keeps the focus. */}
      <For each={shown().map(({ user_ids }) => user_ids.join())}>
        {(joined) => {
          const others = joined ? joined.split(',').map(Number) : []
          const ids = others.length > 0 ? others : [currentState().user_id]
          return (
            <RailItem
              route={{ view: 'narrow', terms: [{ operator: 'dm', operand: ids }] }}
              name={directName(others)}
              count={unreadInDirect(others)?.ids.length ?? 0}
            >
              <Show when={ids.length === 1} fallback={<Icon name="people" />}>
                <Presence userId={ids[0] ?? 0} />
              </Show>
            </RailItem>
          )
        }}
      </For>
      <RailButton name={t('begin.direct')} run={() => beginDirect()} />
    </Section>
  )
}
