import { isSame, rowsPerFrame, towards, withNewer, withOlder } from '../../lib/shown-rows.ts'
import type { MessageWindow } from '../../store/message-window.ts'
import { useIsHere } from '../parts/submission.ts'
import type { ScrollKeeper } from './scroll-keeper.ts'

type Rows = {
  shown(): number[]
  show(ids: number[]): void
  wanted(): number[]
  setWanted(ids: number[]): void
  keeper(): ScrollKeeper
}

/** Resolves when the first rows are on the screen: to make others before that would delay them. */
function painted(): Promise<unknown> {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
}

/** How long it may take to bring rows into the page, of the time of a frame, in ms. */
const patience = 6

/** How many come after a frame that took longer. Fewer would take more frames, and most of a slow frame's time does not depend on them. */
const rowsAfterLate = rowsPerFrame / 2

/**
 * Brings the wanted rows into the page, a few in each frame, and wants more when the reader nears one of the ends. Returns a
 * function to be called when the reader has scrolled or other rows are wanted.
 */
export function growing(messages: MessageWindow, { shown, show, wanted, setWanted, keeper }: Rows) {
  let pace = rowsPerFrame
  let isUnderWay = false
  let firstPaint: Promise<unknown> | undefined
  const isHere = useIsHere()

  /** Returns whether another frame is needed. */
  async function step(): Promise<boolean> {
    const next = towards(messages.ids(), shown(), wanted(), pace)
    if (isSame(next, shown())) return wantMore()
    const start = performance.now()
    keeper().keeping(() => show(next))
    pace = performance.now() - start > patience ? rowsAfterLate : rowsPerFrame
    return true
  }

  async function wantMore(): Promise<boolean> {
    if (shown().length === 0) return false
    if (keeper().isNearTop && (await extend('older'))) return true
    return keeper().isNearBottom && (await extend('newer'))
  }

  /** Returns whether there is more at this end. */
  async function extend(direction: 'older' | 'newer'): Promise<boolean> {
    const isOlder = direction === 'older'
    const end = isOlder ? 0 : -1
    if (wanted().at(end) === messages.ids().at(end)) {
      if (isOlder ? messages.isAtOldest() : messages.isAtNewest()) return false
      await (isOlder ? messages.loadOlder() : messages.loadNewer())
    }
    setWanted(isOlder ? withOlder(messages.ids(), wanted()) : withNewer(messages.ids(), wanted()))
    return !isSame(wanted(), shown())
  }

  async function grow() {
    if (isUnderWay) return
    isUnderWay = true
    try {
      firstPaint ??= painted()
      await firstPaint
      do await new Promise(requestAnimationFrame)
      while (isHere() && (await step()))
    } finally {
      isUnderWay = false
    }
  }

  return () => void grow()
}
