import { createEffect, createMemo, createSignal, For, on, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { rowsAround, rowsShown, shownAfter, withNewer, withOlder } from '../../lib/shown-rows.ts'
import { channelOf } from '../../store/channels.ts'
import { isUnread } from '../../store/messages.ts'
import { outgoingTo } from '../../store/outbox.ts'
import { isReady } from '../../store/session.ts'
import type { MessageWindow } from '../../store/windows.ts'
import { listKeys } from './list-keys.ts'
import { MessageRow } from './message-row.tsx'
import { OutgoingRow } from './outgoing-row.tsx'
import { placeOf, watchReading } from './reading.ts'
import { ScrollKeeper } from './scroll-keeper.ts'

type Props = {
  messages: MessageWindow
  /** The one conversation that the list shows, if it is one. */
  conversation: Conversation | undefined
  near: number | undefined
  selected: number | undefined
  select(id: number | undefined): void
}

export function MessageList(props: Props) {
  const [shown, setShown] = createSignal<number[]>([])
  const [missed, setMissed] = createSignal(0)
  const [firstUnread, setFirstUnread] = createSignal<number>()
  let scroller!: HTMLDivElement
  let rows!: HTMLDivElement
  let keeper!: ScrollKeeper

  const isAtEnd = () => props.messages.isAtNewest() && shown().at(-1) === props.messages.ids().at(-1)
  const outgoing = createMemo(() => (props.conversation ? outgoingTo(props.conversation) : []))

  onMount(() => {
    keeper = new ScrollKeeper(scroller, rows, isAtEnd)
    onCleanup(() => keeper.stop())
    createEffect(on(() => props.messages.anchor(), begin))
    createEffect(on(() => props.messages.ids(), follow, { defer: true }))
    createEffect(
      on(
        () => props.near,
        () => begin(props.messages.anchor()),
        { defer: true },
      ),
    )
    createEffect(
      on(
        () => props.messages.arrived(),
        (count, before = 0) => !keeper.isFollowing && setMissed((missed) => missed + count - before),
        { defer: true },
      ),
    )
    createEffect(
      on(
        () => outgoing().length,
        (length, before = 0) => length > before && props.messages.anchor() !== undefined && goToEnd(),
        { defer: true },
      ),
    )
    rows.addEventListener('click', selectClicked)
    listKeys({ rows, scroller, goToStart, goToEnd })
    watchReading(rows, () => (props.conversation ? 'conversation' : placeOf(props.messages.terms)))
  })

  /** Selects the message that was clicked; its buttons and links do what they say instead. */
  function selectClicked({ target }: Event) {
    const element = target as Element
    if (element.closest('a, button, input, summary, [role=button]')) return
    const id = element.closest<HTMLElement>('[data-id]')?.dataset.id
    if (id !== undefined && !String(getSelection())) props.select(Number(id))
  }

  /** Shows the beginning of a window: where reading stopped, or the message that was asked for. */
  function begin(anchor: number | undefined) {
    if (anchor === undefined) return
    const ids = props.messages.ids()
    // The message of a link may be deleted, or have moved away.
    const start = props.near === undefined ? ids.find((id) => isUnread(id)) : nearest(ids, props.near)
    setFirstUnread(ids.find((id) => isUnread(id)))
    setShown(rowsAround(ids, start))
    setMissed(0)
    if (props.near !== undefined) props.select(start)
    if (start === undefined) keeper.toEnd()
    else keeper.toRow(start, props.near === undefined ? 1 / 3 : 1 / 4)
  }

  /** Takes over what has come to the window, without moving what the reader looks at. */
  function follow(ids: number[], before: number[] = []) {
    if (shown().length === 0) begin(props.messages.anchor())
    else keeper.keepingInEffect(() => setShown((old) => shownAfter(ids, before, old, keeper.isFollowing)))
  }

  /** Brings more rows into the page when the reader nears one of its ends. */
  async function extend() {
    if (keeper.isNearEnd) setMissed(0)
    if (keeper.isNearTop) await showOlder()
    else if (keeper.isNearBottom) await showNewer()
  }

  async function showOlder() {
    if (shown()[0] === props.messages.ids()[0]) await props.messages.loadOlder()
    keeper.keeping(() => setShown((old) => withOlder(props.messages.ids(), old)))
  }

  async function showNewer() {
    if (shown().at(-1) === props.messages.ids().at(-1)) await props.messages.loadNewer()
    keeper.keeping(() => setShown((old) => withNewer(props.messages.ids(), old)))
  }

  async function goToEnd() {
    if (!props.messages.isAtNewest()) await props.messages.begin('newest', true)
    setShown(props.messages.ids().slice(-rowsShown))
    setMissed(0)
    keeper.toEnd()
  }

  async function goToStart() {
    if (!props.messages.isAtOldest()) await props.messages.begin(0, true)
    const first = props.messages.ids().slice(0, rowsShown)
    setShown(first)
    if (first[0] !== undefined) keeper.toRow(first[0], 0)
  }

  let isExtending = false
  function onScroll() {
    keeper.scrolled()
    if (isExtending) return
    isExtending = true
    requestAnimationFrame(
      () =>
        void extend().finally(() => {
          isExtending = false
        }),
    )
  }

  return (
    <div class="message-area">
      <div class="message-scroller" ref={scroller} onScroll={onScroll} tabindex="-1">
        <Show
          when={props.messages.isAtOldest() && shown()[0] === props.messages.ids()[0] && shown().length > 0}
        >
          <p class="feed-begin">{t('feed.begin')}</p>
        </Show>
        <div
          class="message-rows"
          ref={rows}
          role="feed"
          aria-label={t('feed.label')}
          aria-busy={props.messages.anchor() === undefined}
        >
          <For each={shown()}>
            {(id, index) => (
              <MessageRow
                id={id}
                previous={shown()[index() - 1]}
                conversation={props.conversation}
                isFirstUnread={firstUnread() === id}
                isSelected={props.selected === id}
              />
            )}
          </For>
          <For each={outgoing()}>
            {(one, index) => (
              <OutgoingRow outgoing={one} previousId={shown().at(-1)} isFirst={index() === 0} />
            )}
          </For>
        </div>
        <Placeholder
          messages={props.messages}
          isEmpty={shown().length === 0 && outgoing().length === 0}
          conversation={props.conversation}
        />
      </div>
      <Show when={missed() > 0 || (!isAtEnd() && shown().length > 0)}>
        <button type="button" class="button newer" onClick={() => void goToEnd()}>
          ↓ {t('feed.newer', { count: missed() })}
        </button>
      </Show>
    </div>
  )
}

function Placeholder(props: {
  messages: MessageWindow
  isEmpty: boolean
  conversation: Conversation | undefined
}) {
  const [isLate, setLate] = createSignal(false)
  const timer = setTimeout(() => setLate(true), 400)
  onCleanup(() => clearTimeout(timer))
  /** Whether the channel is gone, or one that the user may not see. */
  const isClosed = () =>
    props.messages.terms.some(
      ({ operator, operand }) =>
        operator === 'channel' && typeof operand === 'number' && isReady() && !channelOf(operand),
    )
  return (
    <Show when={props.isEmpty}>
      <Show when={props.messages.failure()}>
        {(failure) => (
          <div class="empty" role="alert">
            <Show when={!isClosed()} fallback={<p>{t('refused.unknown')}</p>}>
              <p>{t('feed.failed', { reason: failure().message })}</p>
              <button type="button" class="button" onClick={() => void props.messages.begin('first_unread')}>
                {t('feed.retry')}
              </button>
            </Show>
          </div>
        )}
      </Show>
      <Show when={props.messages.anchor() !== undefined}>
        <div class="empty">
          <h2>{t('feed.empty')}</h2>
          <p>{t(props.conversation ? 'feed.empty_conversation' : 'feed.empty_search')}</p>
        </div>
      </Show>
      <Show when={isLate() && props.messages.anchor() === undefined && !props.messages.failure()}>
        <div class="row-skeletons" aria-hidden="true">
          <For each={[60, 85, 40, 70, 55]}>
            {(width) => <div class="skeleton" style={{ width: `${width}%` }} />}
          </For>
        </div>
      </Show>
    </Show>
  )
}

function nearest(ids: number[], id: number) {
  return ids.find((other) => other >= id) ?? ids.at(-1)
}
