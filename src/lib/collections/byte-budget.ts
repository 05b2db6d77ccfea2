/** Bounds what things take in memory, in all and of each owner: those that were used least recently leave first. */
export class ByteBudget<Item> {
  readonly most: number
  readonly mostOfShare: number
  /** The things of all owners, the one that was used least recently first. */
  readonly order = new Map<Item, Share<Item>>()
  /** The one that was used last. */
  latest: Item | undefined
  bytes = 0

  constructor(most: number, mostOfShare: number) {
    this.most = most
    this.mostOfShare = mostOfShare
  }

  /** The things of one owner. `end` is called with those that must leave: it calls `remove`. */
  share(end: (item: Item) => void): Share<Item> {
    return new Share(this, end)
  }
}

/** The share of one owner of a budget. */
class Share<Item> {
  bytes = 0
  private readonly budget: ByteBudget<Item>
  private readonly end: (item: Item) => void
  /** In the order of use, too. */
  private readonly sizes = new Map<Item, number>()

  constructor(budget: ByteBudget<Item>, end: (item: Item) => void) {
    this.budget = budget
    this.end = end
  }

  /** Notes that a thing is used. */
  use(item: Item) {
    if (item === this.budget.latest) return
    const size = this.sizes.get(item)
    if (size === undefined) return
    this.budget.latest = item
    this.sizes.delete(item)
    this.sizes.set(item, size)
    this.budget.order.delete(item)
    this.budget.order.set(item, this)
  }

  /** Counts what a thing takes more than before, or less. A new one counts as used. */
  grow(item: Item, bytes: number) {
    this.sizes.set(item, this.sizeOf(item) + bytes)
    if (!this.budget.order.has(item)) {
      this.budget.latest = item
      this.budget.order.set(item, this)
    }
    this.count(bytes)
    for (const oldest of this.sizes.keys()) {
      if (this.bytes <= this.budget.mostOfShare) break
      this.end(oldest)
    }
    for (const [oldest, share] of this.budget.order) {
      if (this.budget.bytes <= this.budget.most) break
      share.end(oldest)
    }
  }

  sizeOf(item: Item): number {
    return this.sizes.get(item) ?? 0
  }

  remove(item: Item) {
    this.count(-this.sizeOf(item))
    this.sizes.delete(item)
    this.budget.order.delete(item)
    if (item === this.budget.latest) this.budget.latest = undefined
  }

  private count(bytes: number) {
    this.bytes += bytes
    this.budget.bytes += bytes
  }
}

export type { Share }
