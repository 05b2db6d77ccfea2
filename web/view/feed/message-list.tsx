import { createMemo, createSelector, createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { errorMessage } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import type { MessageWindow } from '../../store/message-window.ts'
import { missingFrom } from '../../store/missing.ts'
import { type Outgoing, outgoingTo } from '../../store/outbox.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Known } from '../parts/known.tsx'
import { lazyPart } from '../parts/lazy-part.tsx'
import { isByTouch } from '../parts/touched.ts'
import { createRows } from './create-rows.ts'
import { listKeys } from './list-keys.ts'
import { markByClick, marked } from './marking.ts'
import { MessageRow } from './message-row.tsx'
import { OutgoingRow } from './outgoing-row.tsx'
import { placeOf, watchReading } from './reading.ts'
import { TopBar } from './top-bar.tsx'

// Its text depends on who may write, as that of the box below it does, so both are loaded behind the first view.
const EmptyView = lazyPart(() => import('./empty-view.tsx'), 'EmptyView')

type Props = {
  messages: MessageWindow
  /** The one conversation that the list shows, if it is one. */
  conversation: Conversation | undefined
  near: number | undefined
  selected: number | undefined
  select(id: number | undefined): void
}

export function MessageList(props: Props) {
  let scroller!: HTMLDivElement
  let rows!: HTMLDivElement
  const outgoing = createMemo(() => (props.conversation ? outgoingTo(props.conversation) : []))
  const list = createRows(props, outgoing)
  const isWhole = () => props.messages.isAtOldest() && list.shown()[0] === props.messages.ids()[0]

  onMount(() => {
    list.start(scroller, rows)
    rows.addEventListener('click', (event) => {
      const id = clickedRow(event)
      if (id !== undefined && !markByClick(event, id, list.shown())) props.select(id)
    })
    listKeys({ rows, scroller, goToStart: list.goToStart, goToEnd: list.goToEnd })
    watchReading(rows, () => (props.conversation ? 'conversation' : placeOf(props.messages.terms)))
  })

  return (
    <div class="message-area">
      <div class="message-scroller" ref={scroller} onScroll={list.scrolled} tabindex="-1">
        <Show when={!props.conversation}>
          <TopBar heading={list.heading()} />
        </Show>
        <Show when={props.conversation && list.shown().length > 0 && isWhole()}>
          <p class="feed-begin">{t('feed.begin')}</p>
        </Show>
        <Rows
          {...props}
          list={list}
          outgoing={outgoing()}
          ref={(element) => {
            rows = element
          }}
        />
        <Placeholder
          messages={props.messages}
          isEmpty={list.shown().length === 0 && outgoing().length === 0}
          conversation={props.conversation}
        />
      </div>
      <Show when={list.missed() > 0 || (!list.isAtEnd() && list.shown().length > 0)}>
        <ActionButton class="newer" run={list.goToEnd}>
          ↓ {t('feed.newer', { count: list.missed() })}
        </ActionButton>
      </Show>
    </div>
  )
}

/** The rows of the messages, and of those on their way. One listener serves all, and a row hears only of what concerns itself. */
function Rows(
  props: Props & {
    list: ReturnType<typeof createRows>
    outgoing: Outgoing[]
    ref(element: HTMLDivElement): void
  },
) {
  const [pointedAt, setPointedAt] = createSignal<number>()
  const [focused, setFocused] = createSignal<number>()
  const [isPointedAt, isFocused] = [createSelector(pointedAt), createSelector(focused)]
  const isSelected = createSelector(() => props.selected)
  const isFirstUnread = createSelector(props.list.firstUnread)
  return (
    <div
      class="message-rows"
      classList={{ marking: marked().size > 0 }}
      ref={props.ref}
      role="feed"
      aria-label={t('feed.label')}
      aria-busy={props.messages.anchor() === undefined}
      onPointerOver={({ target, pointerType }) => pointerType === 'mouse' && setPointedAt(rowOf(target))}
      onPointerLeave={() => setPointedAt(undefined)}
      // What a finger touches must stay where it is, and tools move what is around them.
      onFocusIn={(event) => !isByTouch() && setFocused(rowOf(event.target))}
      onFocusOut={() => setFocused(undefined)}
    >
      <For each={props.list.shown()}>
        {(id) => (
          <MessageRow
            id={id}
            previous={props.list.previous(id)}
            conversation={props.conversation}
            isFirstUnread={isFirstUnread(id)}
            isSelected={isSelected(id)}
            hasTools={isSelected(id) || isPointedAt(id) || isFocused(id)}
          />
        )}
      </For>
      <OutgoingRows outgoing={props.outgoing} previousId={props.list.shown().at(-1)} />
    </div>
  )
}

function OutgoingRows(props: { outgoing: Outgoing[]; previousId: number | undefined }) {
  const byId = createMemo(() => new Map(props.outgoing.map((one) => [one.localId, one])))
  return (
    // By ids: a message that is tried again, or has failed, is another object.
    <For each={[...byId().keys()]}>
      {(id, index) => (
        <Known thing={byId().get(id)}>
          {(one) => <OutgoingRow outgoing={one()} previousId={props.previousId} isFirst={index() === 0} />}
        </Known>
      )}
    </For>
  )
}

/** The message that was clicked; its buttons and links do what they say instead. */
function clickedRow({ target }: Event): number | undefined {
  const element = target as Element
  const isOther = element.closest('a, button, input, summary, [role=button]') || String(getSelection())
  return isOther && !element.matches('.mark-box') ? undefined : rowOf(element)
}

/** The message in whose row an element is. */
function rowOf(element: Element): number | undefined {
  const id = element.closest<HTMLElement>('[data-id]')?.dataset.id
  return id === undefined ? undefined : Number(id)
}

function Placeholder(props: {
  messages: MessageWindow
  isEmpty: boolean
  conversation: Conversation | undefined
}) {
  const [isLate, setLate] = createSignal(false)
  const timer = setTimeout(() => setLate(true), 400)
  onCleanup(() => clearTimeout(timer))
  /** Trying again would not help. */
  const missing = () => missingFrom(props.messages.terms)
  return (
    <Show when={props.isEmpty}>
      <Show when={props.messages.failure()}>
        {(failure) => (
          <div class="empty" role="alert">
            <p>{t(missing() ?? 'feed.failed', { reason: errorMessage(failure()) })}</p>
            <Show when={!missing()}>
              <ActionButton run={() => props.messages.begin('first_unread')}>{t('feed.retry')}</ActionButton>
            </Show>
          </div>
        )}
      </Show>
      <Show when={props.messages.anchor() !== undefined}>
        <EmptyView terms={props.messages.terms} conversation={props.conversation} />
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
