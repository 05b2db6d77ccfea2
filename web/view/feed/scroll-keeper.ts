import { coveredIn } from './covered.ts'

/** How near the end of the list the reader must be for it to follow new messages, in CSS pixels. */
const followWithin = 40

/** A row by its id, and how far below the top of the view it is, in CSS pixels. */
type Place = { id: number; top: number }

/**
 * Keeps the place of a reader in a list of rows (elements with `data-id`) that grows at both ends and whose rows change
 * their heights: at the end of the list it follows what is added; anywhere else, the row at the top of the view stays
 * where it is, to the pixel.
 */
export class ScrollKeeper {
  /** Whether the reader is at the end, so that the list follows what is added. */
  isFollowing = true

  private readonly scroller: HTMLElement
  private readonly rows: HTMLElement
  private readonly isAtEnd: () => boolean
  private readonly observer: ResizeObserver
  /** The row whose place is kept, by its id, and its distance from the top of the view; `isNew`: it was not there yet. */
  private anchor: { id: string; top: number; isNew: boolean } | undefined

  /** The scroll position that the keeper last read or set. */
  private knownTop = -1

  /** The row at the top of the view, below what covers that, and how much is covered: as of the last time that the list has scrolled. */
  private first: Element | undefined
  private covered = 0

  constructor(scroller: HTMLElement, rows: HTMLElement, isAtEnd: () => boolean) {
    this.scroller = scroller
    this.rows = rows
    this.isAtEnd = isAtEnd
    this.observer = new ResizeObserver(() => this.restore())
    this.observer.observe(rows)
    this.observer.observe(scroller)
  }

  stop() {
    this.observer.disconnect()
  }

  get isNearTop(): boolean {
    return this.scroller.scrollTop < this.reach
  }

  get isNearBottom(): boolean {
    return this.belowView < this.reach
  }

  get isNearEnd(): boolean {
    return this.isAtEnd() && this.belowView < followWithin
  }

  /** The position of the reader, for when they return; undefined at the end, which will be elsewhere by then. */
  get place(): Place | undefined {
    const { anchor } = this
    if (this.isFollowing || !anchor || anchor.isNew) return undefined
    return { id: Number(anchor.id), top: anchor.top }
  }

  /**
   * The message whose conversation the bar at the top of the view names, and how far the next conversation has pushed that
   * bar up, in CSS pixels: its own bar takes the place.
   */
  get heading() {
    const { first, covered } = this
    const own = first?.querySelector('.conversation-bar')
    const isNext = first && own && this.topOf(own) > 0
    const row = (isNext ? first.previousElementSibling : first) as HTMLElement | null | undefined
    return {
      id: Number(row?.dataset.id),
      shift: isNext ? Math.min(0, this.topOf(first) - covered) : 0,
    }
  }

  /** To be called when the list has scrolled. Returns whether the reader did it. */
  scrolled(): boolean {
    // If the keeper itself has scrolled, the reader has not moved.
    if (this.anchor?.isNew || !this.hasMoved) {
      this.findFirst()
      return false
    }
    this.isFollowing = this.isNearEnd
    if (this.isFollowing) this.note()
    else this.noteAgain()
    return true
  }

  /** Changes the rows without moving what is in view. */
  keeping(change: () => void) {
    this.heedLeaving()
    if (!this.isFollowing && !this.anchor?.isNew) this.noteAgain()
    change()
    this.restoreAgain()
  }

  /** Keeps the position within an effect, where rows change only after the effect has run. */
  keepingInEffect(change: () => void) {
    this.heedLeaving()
    if (!this.isFollowing && !this.anchor?.isNew) this.noteAgain()
    change()
    queueMicrotask(() => this.restoreAgain())
  }

  toEnd() {
    this.isFollowing = true
    this.anchor = undefined
    this.knownTop = this.scroller.scrollTop
    this.restore()
  }

  /** Shows a row at a part of the view's height, now or as soon as it is there. */
  toRow(id: number, part: number) {
    this.toPlace({ id, top: part * this.scroller.clientHeight })
  }

  toPlace({ id, top }: Place) {
    this.isFollowing = false
    this.anchor = { id: String(id), top, isNew: true }
    this.restore()
  }

  /** Two views, and never so much that the reader of a list of low rows could be near both of its ends. */
  private get reach() {
    return Math.min(2 * this.scroller.clientHeight, this.scroller.scrollHeight / 4)
  }

  private get hasMoved() {
    return Math.abs(this.scroller.scrollTop - this.knownTop) >= 1
  }

  private get belowView() {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight
  }

  /** Stops following if the reader has left the end: the browser tells the page so only with the next frame. */
  private heedLeaving() {
    if (!this.isFollowing || this.scroller.scrollTop > this.knownTop - 1) return
    if (this.belowView < followWithin) {
      // Rows that went have moved the end up to here, and no reader did: what comes next is followed.
      this.knownTop = this.scroller.scrollTop
      return
    }
    this.isFollowing = false
    this.note()
  }

  private restore() {
    this.heedLeaving()
    if (this.isFollowing) {
      this.anchor = undefined
      this.scrollTo(this.scroller.scrollHeight)
      return
    }
    const row = this.anchor && this.rows.querySelector(`[data-id="${this.anchor.id}"]`)
    if (!this.anchor || !row) {
      if (!this.anchor?.isNew) this.note()
      return
    }
    const moved = this.topOf(row) - this.anchor.top
    if (Math.abs(moved) >= 0.5) this.scrollTo(this.scroller.scrollTop + moved)
    this.knownTop = this.scroller.scrollTop
    if (!this.anchor.isNew) return
    this.anchor.isNew = false
    this.isFollowing = this.isNearEnd
  }

  /**
   * Restores the place now, and again as soon as the rows are laid out. The observer, which sees only their height as a whole, is begun anew for
   * that: rows that the browser skipped may shrink in the same frame by as much as others have come.
   */
  private restoreAgain() {
    this.restore()
    this.observer.unobserve(this.rows)
    this.observer.observe(this.rows)
  }

  private scrollTo(top: number) {
    this.scroller.scrollTop = top
    this.knownTop = this.scroller.scrollTop
  }

  /**
   * Notes the place where the reader is now. Rows above may have got their heights since the last time, as they came near the
   * view: what that has moved is moved back before, and only what the reader has scrolled stays. Without any scrolling, the
   * place stays the same, so that fractions of a pixel do not add up.
   */
  private noteAgain() {
    if (this.anchor) {
      if (!this.hasMoved) return
      this.anchor.top -= this.scroller.scrollTop - this.knownTop
      this.restore()
    }
    this.note()
  }

  /** Notes the first row that begins in the view, below what covers its top, or else the one that fills it. */
  private note() {
    const first = this.findFirst()
    const next = first?.nextElementSibling
    const isCut = first && this.topOf(first) < this.covered
    const row = isCut && next && this.topOf(next) < this.scroller.clientHeight ? next : first
    const id = row instanceof HTMLElement ? row.dataset.id : undefined
    this.anchor = row && id !== undefined ? { id, top: this.topOf(row), isNew: false } : undefined
    this.knownTop = this.scroller.scrollTop
  }

  /** By bisection: the rows stand one below the other. */
  private findFirst() {
    const all = this.rows.children
    this.covered = coveredIn(this.scroller)
    const top = this.scroller.getBoundingClientRect().top + this.covered
    let [low, high] = [0, all.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((all[middle] as Element).getBoundingClientRect().bottom > top) high = middle
      else low = middle + 1
    }
    this.first = all[low]
    return this.first
  }

  private topOf(row: Element) {
    return row.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top
  }
}
