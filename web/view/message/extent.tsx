import { createMemo, type Resource, Show } from 'solid-js'
import { without } from '../../../src/lib/collections/without.ts'
import { t } from '../../lib/i18n.ts'
import { dayName } from '../../lib/time.ts'
import { channelOf } from '../../store/channels.ts'
import type { Message } from '../../store/messages.ts'
import { nameOf } from '../../store/people.ts'
import { useSubscribers } from '../../store/subscribers.ts'
import { ErrorText } from '../parts/error-text.tsx'

/** The messages that a move concerns, as `GET /rookery/messages/{message_id}/move_extent` returns them. */
export type Extent = {
  count: number
  first_timestamp: number
  last_timestamp: number
  sender_count: number
  senders: { user_id: number; count: number }[]
}

/** How many names a line has. */
const named = 3

/** The extent of messages that are here. */
export function extentOf(messages: Message[]): Extent {
  const counts = new Map<number, number>()
  for (const { sender_id } of messages) counts.set(sender_id, (counts.get(sender_id) ?? 0) + 1)
  const times = messages.map(({ timestamp }) => timestamp)
  return {
    count: messages.length,
    first_timestamp: Math.min(...times),
    last_timestamp: Math.max(...times),
    sender_count: counts.size,
    senders: [...counts].map(([user_id, count]) => ({ user_id, count })).sort((a, b) => b.count - a.count),
  }
}

/** Several extents together. How many have sent them is known only of those that are named. */
export function joined(extents: Extent[]): Extent {
  const counts = new Map<number, number>()
  for (const { user_id, count } of extents.flatMap(({ senders }) => senders))
    counts.set(user_id, (counts.get(user_id) ?? 0) + count)
  return {
    count: extents.reduce((sum, { count }) => sum + count, 0),
    first_timestamp: Math.min(...extents.map(({ first_timestamp }) => first_timestamp)),
    last_timestamp: Math.max(...extents.map(({ last_timestamp }) => last_timestamp)),
    sender_count: Math.max(counts.size, ...extents.map(({ sender_count }) => sender_count)),
    senders: [...counts].map(([user_id, count]) => ({ user_id, count })).sort((a, b) => b.count - a.count),
  }
}

/** The extent of messages that are counted by the server, or why that is not known. */
export function Extents(props: { extent: Resource<Extent | undefined> }) {
  return (
    <Show when={!props.extent.error} fallback={<ErrorText error={props.extent.error} />}>
      <Show when={props.extent.latest}>{(shown) => <ExtentLine extent={shown()} />}</Show>
    </Show>
  )
}

/** How many messages, by whom, from when to when. */
export function ExtentLine(props: { extent: Extent }) {
  const people = () => {
    const { senders, sender_count } = props.extent
    const names = senders.slice(0, named).map(({ user_id }) => nameOf(user_id))
    return namesWith(names, sender_count)
  }
  const days = () => {
    const [from, to] = [dayName(props.extent.first_timestamp), dayName(props.extent.last_timestamp)]
    return from === to ? from : t('extent.days', { from, to })
  }
  return (
    <p class="extent" role="status">
      {t('extent.messages', { count: props.extent.count, people: people(), days: days() })}
    </p>
  )
}

function namesWith(names: string[], count: number): string {
  const others = count - names.length
  return others > 0 ? t('extent.and_others', { names: names.join(', '), count: others }) : names.join(', ')
}

/** Says who gains and who loses sight of messages that go to another channel. */
export function SightLine(props: { from: number; to: number }) {
  const channel = (index: number) => createMemo(() => countedFor(props.from, props.to)[index])
  const [to, from] = [channel(0), channel(1)]
  const [now, before] = [useSubscribers(to), useSubscribers(from)]
  const failure = () => now.failure() ?? before.failure()
  // Names and subscribers are read each time, so that the text follows them.
  const text = createMemo(() => {
    const isKnown = (to() === undefined || now.ids()) && (from() === undefined || before.ids())
    return isKnown ? sightOf(props.from, props.to, [...(now.ids() ?? [])], [...(before.ids() ?? [])]) : ''
  })
  return (
    <Show when={!failure()} fallback={<ErrorText error={failure()} />}>
      <Show when={text()}>
        {(shown) => (
          <p class="sight" role="status">
            {shown()}
          </p>
        )}
      </Show>
    </Show>
  )
}

/** The channels whose subscribers have to be known: those of the one to which the messages go, if it is private, and of both if both are. */
function countedFor(fromId: number, toId: number): number[] {
  const [from, to] = [channelOf(fromId), channelOf(toId)]
  if (!from || !to || fromId === toId || to.is_web_public || !to.invite_only) return []
  return from.invite_only ? [toId, fromId] : [toId]
}

/** `now` and `before`: the subscribers of both channels, as far as they count. */
function sightOf(fromId: number, toId: number, now: number[], before: number[]): string {
  const [from, to] = [channelOf(fromId), channelOf(toId)]
  if (!from || !to || fromId === toId) return ''
  const name = to.name
  if (to.is_web_public) return from.is_web_public ? '' : t('sight.web_public', { name })
  if (!to.invite_only) {
    if (from.invite_only) return t('sight.everyone', { name })
    return t(from.is_web_public ? 'sight.not_web_public' : 'sight.as_before', { name })
  }
  const isProtected = to.history_public_to_subscribers ? '' : ` ${t('sight.protected')}`
  if (!from.invite_only) return t('sight.subscribers', { name, count: now.length }) + isProtected
  const losing = without(before, now)
  const gaining = without(now, before)
  const texts = [
    gaining.length > 0 && t('sight.gain', { count: gaining.length, names: shortNames(gaining) }),
    losing.length > 0 && t('sight.lose', { count: losing.length, names: shortNames(losing) }),
  ].filter(Boolean)
  return (texts.join(' ') || t('sight.as_before')) + isProtected
}

function shortNames(ids: number[]) {
  return namesWith(ids.slice(0, named).map(nameOf), ids.length)
}
