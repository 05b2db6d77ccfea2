import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { rowsAround, rowsShown, shownAfter, withNewer, withOlder } from '../../lib/shown-rows.ts'
import { isUnread } from '../../store/messages.ts'
import type { Outgoing } from '../../store/outbox.ts'
import type { MessageWindow } from '../../store/windows.ts'
import { ScrollKeeper } from './scroll-keeper.ts'

type Options = {
  messages: MessageWindow
  readonly near: number | undefined
  select(id: number | undefined): void
}

/** Which messages of a window have rows in the page, and where the reader is among them. */
export function createRows(options: Options, outgoing: Accessor<Outgoing[]>) {
  const { messages } = options
  const [shown, setShown] = createSignal<number[]>([])
  const [missed, setMissed] = createSignal(0)
  const [firstUnread, setFirstUnread] = createSignal<number>()
  let keeper!: ScrollKeeper

  const isAtEnd = () => messages.isAtNewest() && shown().at(-1) === messages.ids().at(-1)

  /** Begins when the elements are in the page. */
  function start(scroller: HTMLElement, rows: HTMLElement) {
    keeper = new ScrollKeeper(scroller, rows, isAtEnd)
    onCleanup(() => keeper.stop())
    createEffect(on(() => messages.anchor(), begin))
    createEffect(on(() => messages.ids(), follow, { defer: true }))
    const beginAgain = () => begin(messages.anchor())
    createEffect(on(() => options.near, beginAgain, { defer: true }))
    const miss = (count: number, before = 0) =>
      !keeper.isFollowing && setMissed((missed) => missed + count - before)
    createEffect(on(() => messages.arrived(), miss, { defer: true }))
    const showSent = (length: number, before = 0) =>
      length > before && messages.anchor() !== undefined && goToEnd()
    createEffect(on(() => outgoing().length, showSent, { defer: true }))
  }

  /** Shows the beginning of a window: where reading stopped, or the message that was asked for. */
  function begin(anchor: number | undefined) {
    if (anchor === undefined) return
    const ids = messages.ids()
    const { near } = options
    // The message of a link may be deleted, or have moved away.
    const first = near === undefined ? ids.find((id) => isUnread(id)) : nearest(ids, near)
    setFirstUnread(ids.find((id) => isUnread(id)))
    setShown(rowsAround(ids, first))
    setMissed(0)
    if (near !== undefined) options.select(first)
    if (first === undefined) keeper.toEnd()
    else keeper.toRow(first, near === undefined ? 1 / 3 : 1 / 4)
  }

  /** Takes over what has come to the window, without moving what the reader looks at. */
  function follow(ids: number[], before: number[] = []) {
    if (shown().length === 0) begin(messages.anchor())
    else keeper.keepingInEffect(() => setShown((old) => shownAfter(ids, before, old, keeper.isFollowing)))
  }

  async function goToEnd() {
    if (!messages.isAtNewest()) await messages.begin('newest', true)
    setShown(messages.ids().slice(-rowsShown))
    setMissed(0)
    keeper.toEnd()
  }

  async function goToStart() {
    if (!messages.isAtOldest()) await messages.begin(0, true)
    const first = messages.ids().slice(0, rowsShown)
    setShown(first)
    if (first[0] !== undefined) keeper.toRow(first[0], 0)
  }

  const scrolled = extending(messages, { shown, setShown, setMissed, keeper: () => keeper })
  return { shown, missed, firstUnread, isAtEnd, start, scrolled, goToStart, goToEnd }
}

type Rows = {
  shown(): number[]
  setShown(change: (old: number[]) => number[]): void
  setMissed(count: number): void
  keeper(): ScrollKeeper
}

/** Brings more rows into the page when the reader nears one of its ends; returns what is to be called on each scrolling. */
function extending(messages: MessageWindow, { shown, setShown, setMissed, keeper }: Rows) {
  let isExtending = false

  async function extend() {
    if (keeper().isNearEnd) setMissed(0)
    if (keeper().isNearTop) await showOlder()
    else if (keeper().isNearBottom) await showNewer()
  }

  async function showOlder() {
    if (shown()[0] === messages.ids()[0]) await messages.loadOlder()
    keeper().keeping(() => setShown((old) => withOlder(messages.ids(), old)))
  }

  async function showNewer() {
    if (shown().at(-1) === messages.ids().at(-1)) await messages.loadNewer()
    keeper().keeping(() => setShown((old) => withNewer(messages.ids(), old)))
  }

  return () => {
    keeper().scrolled()
    if (isExtending) return
    isExtending = true
    const done = () => {
      isExtending = false
    }
    requestAnimationFrame(() => void extend().finally(done))
  }
}

function nearest(ids: number[], id: number) {
  return ids.find((other) => other >= id) ?? ids.at(-1)
}
