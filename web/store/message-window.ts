import { type Accessor, createSignal, type Setter } from 'solid-js'
import type { Term } from '../lib/route.ts'
import { putMatches } from './matches.ts'
import { type Message, message } from './messages.ts'
import { isIn } from './narrow.ts'
import { readMessages } from './read-messages.ts'
import { inRequest } from './spectator.ts'

/** How many messages one request returns, and how many a window holds. */
export const page = 100
const windowSize = 1000

type Page = {
  messages: Message[]
  anchor: number
  found_newest: boolean
  found_oldest: boolean
  history_limited: boolean
}

type Anchor = 'first_unread' | 'newest' | number

/**
 * A contiguous run of the messages of one narrow, by their ids in rising order: between the first and the last of them
 * no message is missing. It grows at both ends, and forgets what is farthest from the end at which it grows.
 */
export class MessageWindow {
  readonly terms: Term[]
  readonly ids: Accessor<number[]>
  /** Whether the run reaches the newest message of the narrow; then new messages join it. */
  readonly isAtNewest: Accessor<boolean>
  readonly isAtOldest: Accessor<boolean>
  /** Undefined before the first page has arrived. */
  readonly anchor: Accessor<number | undefined>
  /** How many messages have joined because they were sent meanwhile. */
  readonly arrived: Accessor<number>
  /** The failure of the first page. */
  readonly failure: Accessor<Error | undefined>

  /**
   * Whether it shows what the last visit has left, and neither what came since has arrived nor the reader has moved: what
   * comes then was missed, and reading begins at the first of it.
   */
  isResuming = false

  private readonly setIds: Setter<number[]>
  private readonly setAtNewest: Setter<boolean>
  private readonly setAtOldest: Setter<boolean>
  private readonly setAnchor: Setter<number | undefined>
  private readonly setArrived: Setter<number>
  private readonly setFailure: Setter<Error | undefined>
  private older: Promise<void> | undefined
  private newer: Promise<void> | undefined
  private beginning: Promise<void> | undefined
  /** How many requests are under way that may bring newer messages or other versions of those that are there. */
  private reading = 0
  /** Rises with each new beginning, so that answers to earlier requests are dropped. */
  private generation = 0

  constructor(terms: Term[]) {
    this.terms = terms
    ;[this.ids, this.setIds] = createSignal<number[]>([])
    ;[this.isAtNewest, this.setAtNewest] = createSignal(false)
    ;[this.isAtOldest, this.setAtOldest] = createSignal(false)
    ;[this.anchor, this.setAnchor] = createSignal<number>()
    ;[this.arrived, this.setArrived] = createSignal(0)
    ;[this.failure, this.setFailure] = createSignal<Error>()
  }

  /** Whether it may lack messages: they are being read. */
  get isReading(): boolean {
    return this.reading > 0
  }

  /** Begins with what was kept of it. */
  restore(ids: number[], isAtOldest: boolean) {
    this.isResuming = true
    this.setAtNewest(true)
    this.setAtOldest(isAtOldest)
    this.setIds(ids)
    this.setAnchor(ids.at(-1) ?? 0)
  }

  /** Begins anew around an anchor. With `isKept`, those who look at the window stay where they are in it. */
  begin(anchor: Anchor, isKept = false): Promise<void> {
    const sizes = anchor === 'newest' ? ([page, 0] as const) : ([page / 2, page / 2] as const)
    return this.beginWith(anchor, sizes, isKept)
  }

  private beginWith(anchor: Anchor, sizes: readonly [number, number], isKept: boolean): Promise<void> {
    this.beginning = this.firstPage(anchor, sizes, isKept)
    return this.beginning
  }

  private async firstPage(anchor: Anchor, sizes: readonly [number, number], isKept: boolean) {
    const generation = ++this.generation
    this.setFailure(undefined)
    try {
      await this.read({ anchor, num_before: sizes[0], num_after: sizes[1] }, (found) => {
        if (generation !== this.generation) return
        const ids = found.messages.map(({ id }) => id)
        // A reader who scrolled up meanwhile has older ones, which end where these begin.
        const older = isKept ? this.ids().filter((id) => id < (ids[0] ?? 0)) : []
        if (older.length === 0) this.setAtOldest(found.found_oldest)
        this.setAtNewest(found.found_newest)
        this.setIds([...older, ...ids])
        if (!isKept) this.setAnchor(found.anchor)
      })
    } catch (error) {
      if (generation === this.generation) this.setFailure(error as Error)
    } finally {
      this.isResuming = false
    }
  }

  loadOlder(): Promise<void> {
    this.older ??= this.more('older').finally(() => {
      this.older = undefined
    })
    return this.older
  }

  loadNewer(): Promise<void> {
    this.newer ??= this.more('newer').finally(() => {
      this.newer = undefined
    })
    return this.newer
  }

  /**
   * Lets a message that has just been sent join, if it belongs to the narrow and the window reaches the newest. Returns undefined if
   * only the server can tell.
   */
  add(message: Message): boolean | undefined {
    if (this.anchor() === undefined || !this.isAtNewest()) return false
    const belongs = isIn(this.terms, message)
    if (belongs) this.join(message.id)
    return belongs
  }

  /** Adds a message that certainly matches the narrow. */
  join(id: number) {
    if (!this.isAtNewest() || this.ids().includes(id)) return
    this.setIds((ids) => insert(ids, id))
    this.setArrived((count) => count + 1)
  }

  /** Reads what was sent between the first page and the beginning of the events. */
  async catchUp() {
    await this.beginning
    if (!this.isAtNewest()) return
    if (this.ids().length === 0) return this.begin('newest', true)
    // The window still counts as reaching the newest: a reader at its end goes on following it.
    await this.extend('newer')
  }

  /** Removes messages that no longer belong to the narrow, and lets known ones join that do now. */
  recheck(changed: readonly number[]) {
    if (this.anchor() === undefined) return
    this.setIds((ids) => {
      let next = ids
      for (const id of changed) {
        const known = message(id)
        // Undefined if only the server can tell: then a message stays.
        const belongs = known !== undefined && isIn(this.terms, known)
        const isHere = next.includes(id)
        if (isHere && belongs === false) next = next.filter((other) => other !== id)
        if (!isHere && belongs && this.covers(id, next)) next = insert(next, id)
      }
      return next
    })
  }

  remove(gone: readonly number[]) {
    const set = new Set(gone)
    this.setIds((ids) => (ids.some((id) => set.has(id)) ? ids.filter((id) => !set.has(id)) : ids))
  }

  /** Reads the window again, all that it holds and what follows, after events may have been missed. */
  async reload() {
    if (this.anchor() === undefined) return
    if (this.isResuming) return this.begin('first_unread')
    const ids = this.ids()
    // One older message tells whether there are any.
    if (ids[0] === undefined) await this.begin('newest', true)
    else await this.beginWith(ids[0], [1, ids.length + page], true)
  }

  /** Reads what has changed meanwhile, for readers who get no events; of a long run, only what follows it. */
  async refresh() {
    await this.beginning
    if (this.anchor() === undefined) await this.begin('newest')
    else if (this.ids().length > 2 * page) await this.catchUp()
    else await this.reload()
  }

  /** Whether a message with this id would lie within the run. */
  private covers(id: number, ids: number[]) {
    const [first, last] = [ids[0], ids.at(-1)]
    if (first === undefined || last === undefined) return this.isAtNewest() && this.isAtOldest()
    return (id > first || this.isAtOldest()) && (id < last || this.isAtNewest())
  }

  private async more(direction: 'older' | 'newer') {
    const isComplete = direction === 'older' ? this.isAtOldest() : this.isAtNewest()
    if (!isComplete) await this.extend(direction)
  }

  private async extend(direction: 'older' | 'newer') {
    const isOlder = direction === 'older'
    const end = isOlder ? this.ids()[0] : this.ids().at(-1)
    if (end === undefined) return
    const { generation } = this
    const amount = { num_before: isOlder ? page : 0, num_after: isOlder ? 0 : page }
    await this.read({ anchor: end, ...amount, include_anchor: false }, ({ messages, ...found }) => {
      if (generation !== this.generation) return
      const added = messages.map(({ id }) => id)
      if (isOlder) this.prepend(added, found.found_oldest)
      else this.append(added, found.found_newest)
    })
  }

  private prepend(added: number[], isOldest: boolean) {
    const all = [...added, ...this.ids()]
    if (all.length > windowSize) this.setAtNewest(false)
    this.setAtOldest(isOldest)
    this.setIds(all.slice(0, windowSize))
  }

  private append(added: number[], isNewest: boolean) {
    const last = added.at(-1)
    // Messages that have just been sent may have joined already; behind a gap, they have to go again.
    const here = isNewest || last === undefined ? this.ids() : this.ids().filter((id) => id <= last)
    const all = [...new Set([...here, ...added])].sort((a, b) => a - b)
    if (all.length > windowSize) this.setAtOldest(false)
    this.setAtNewest(isNewest)
    this.setIds(all.slice(-windowSize))
  }

  private async read(
    range: { anchor: Anchor; num_before: number; num_after: number; include_anchor?: boolean },
    take: (found: Page) => void,
  ) {
    const params = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true }
    this.reading++
    try {
      await readMessages<Page>(
        { narrow: inRequest(this.terms), ...params, ...range, anchor: String(range.anchor) },
        (found) => {
          putMatches(this.terms, found.messages)
          take(found)
        },
      )
    } finally {
      this.reading--
    }
  }
}

function insert(ids: number[], id: number): number[] {
  const last = ids.at(-1)
  if (last === undefined || id > last) return [...ids, id]
  const at = ids.findIndex((other) => other > id)
  return [...ids.slice(0, at), id, ...ids.slice(at)]
}
