import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { isSearch } from '../../lib/is-search.ts'
import { rowsAround, rowsKept, rowsShown, shownAfter } from '../../lib/shown-rows.ts'
import type { MessageWindow } from '../../store/message-window.ts'
import { isUnread } from '../../store/messages.ts'
import type { Outgoing } from '../../store/outbox.ts'
import { createShown } from './create-shown.ts'
import { growing } from './growing.ts'
import { ScrollKeeper } from './scroll-keeper.ts'
import { keepPlaceAtRest, placeBefore } from './selection.ts'

type Options = {
  messages: MessageWindow
  readonly near: number | undefined
  select(id: number | undefined): void
}

/** The height of the lowest rows, in CSS pixels. */
const lowest = 22

/** How many rows are mounted first on each side of where the reader begins: they fill the view, the others follow. */
const rowsInView = () => Math.ceil(innerHeight / lowest)

/** Creates the rows of a window that are in the page, and the reader's position among them. */
export function createRows(options: Options, outgoing: Accessor<Outgoing[]>) {
  const { messages } = options
  let keeper!: ScrollKeeper
  const mounted = createMounted(messages, () => keeper)
  const [missed, setMissed] = createSignal(0)
  const [heading, setHeading] = createSignal({ id: 0, shift: 0 })
  const reader = { keeper: () => keeper, missNone: () => setMissed(0) }
  const { firstUnread, begin, moveOn, goToStart, goToEnd } = createJumps(options, mounted, reader)

  /** Begins when the elements are in the page. */
  function start(scroller: HTMLElement, rows: HTMLElement) {
    keeper = new ScrollKeeper(scroller, rows, mounted.showsEnd)
    onCleanup(() => keeper.stop())
    keepPlaceAtRest(scroller, () => keeper.place)
    createEffect(on(() => messages.anchor(), begin))
    createEffect(on(() => messages.ids(), follow, { defer: true }))
    const beginAgain = () => {
      moveOn()
      begin(messages.anchor())
    }
    createEffect(on(() => options.near, beginAgain, { defer: true }))
    const miss = (count: number, before = 0) => {
      if (keeper.isFollowing) return
      setMissed((missed) => missed + count - before)
      // If all rows fit into the view, no scroll event comes.
      requestAnimationFrame(() => keeper.isNearEnd && setMissed(0))
    }
    createEffect(on(() => messages.arrived(), miss, { defer: true }))
    const showSent = (length: number, before = 0) =>
      length > before && messages.anchor() !== undefined && goToEnd()
    createEffect(on(() => outgoing().length, showSent, { defer: true }))
  }

  function follow(ids: number[], before: number[] = []) {
    if (mounted.shown().length === 0 || messages.isResuming) begin(messages.anchor())
    else mounted.follow(ids, before)
  }

  function scrolled() {
    if (keeper.scrolled()) moveOn()
    if (keeper.isNearEnd) setMissed(0)
    mounted.grow()
    // Last, as it changes the page: nothing asks after it where elements are.
    setHeading(keeper.heading)
  }

  const { shown, previous, isAtEnd } = mounted
  return { shown, previous, missed, heading, firstUnread, isAtEnd, start, scrolled, goToStart, goToEnd }
}

/** The rows in the page: those that are wanted come a few in each frame. */
function createMounted(messages: MessageWindow, keeper: () => ScrollKeeper) {
  const { shown, show, previous } = createShown()
  /** The rows that are to be in the page; `shown` follows it frame by frame. */
  const [wanted, setWanted] = createSignal<number[]>([])
  const grow = growing(messages, { shown, show, wanted, setWanted, keeper })
  const reachesEnd = (rows: number[]) => messages.isAtNewest() && rows.at(-1) === messages.ids().at(-1)

  /** Mounts the rows around a message, or the newest ones; the others come in the following frames. */
  function mount(rows: number[], around: number | undefined) {
    setWanted(rows)
    show(rowsAround(rows, around, around === undefined ? rowsInView() : 2 * rowsInView()))
    grow()
  }

  /** Takes over what has come to the window, without moving what the reader looks at. */
  function follow(ids: number[], before: number[]) {
    keeper().keepingInEffect(() => {
      const { isFollowing } = keeper()
      const next = setWanted((rows) => shownAfter(ids, before, rows, isFollowing))
      show(rowsKept(ids, shown(), next, { isAtEnd: isFollowing, atFirst: rowsInView() }))
    })
    grow()
  }

  const showsEnd = () => reachesEnd(shown())
  const isAtEnd = () => reachesEnd(wanted())
  return { shown, previous, grow, mount, follow, showsEnd, isAtEnd }
}

type Mounted = ReturnType<typeof createMounted>

type Reader = {
  keeper(): ScrollKeeper
  /** Called when the reader is where they have missed nothing. */
  missNone(): void
}

/** Moves the reader: to the first unread message when a view opens, and to both ends of its messages. */
function createJumps(options: Options, mounted: Mounted, { keeper, missNone }: Reader) {
  const { messages } = options
  const [firstUnread, setFirstUnread] = createSignal<number>()
  let before = placeBefore()
  /** The reader goes elsewhere. */
  const moveOn = () => {
    messages.isResuming = false
    before = undefined
  }

  /** Shows the beginning of a window, or where the reader was when they left it. */
  function begin(anchor: number | undefined) {
    if (anchor === undefined) return
    const ids = messages.ids()
    const { near } = options
    const unread = ids.find((id) => isUnread(id))
    const start = isSearch(messages.terms) ? undefined : unread
    // The message of a link may be deleted, or have moved away.
    const first = near === undefined ? start : nearest(ids, near)
    const place = before && ids.includes(before.id) ? before : undefined
    setFirstUnread(start)
    if (!messages.isResuming) missNone()
    mounted.mount(rowsAround(ids, place?.id ?? first), place?.id ?? first)
    if (near !== undefined) options.select(first)
    if (place) keeper().toPlace(place)
    else if (first === undefined) keeper().toEnd()
    else keeper().toRow(first, near === undefined ? 1 / 3 : 1 / 4)
  }

  async function goToEnd() {
    moveOn()
    if (!messages.isAtNewest()) await messages.begin('newest', true)
    if (!mounted.showsEnd()) mounted.mount(messages.ids().slice(-rowsShown), undefined)
    missNone()
    keeper().toEnd()
  }

  async function goToStart() {
    moveOn()
    if (!messages.isAtOldest()) await messages.begin(0, true)
    const first = messages.ids()[0]
    if (first === undefined) return
    missNone()
    mounted.mount(messages.ids().slice(0, rowsShown), first)
    keeper().toRow(first, 0)
  }

  return { firstUnread, begin, moveOn, goToStart, goToEnd }
}

function nearest(ids: number[], id: number) {
  return ids.find((other) => other >= id) ?? ids.at(-1)
}
