/** Limits the bytes that items take in memory: in total, and for each owner. The items that were used least recently are ended first. */
export class ByteBudget<Item> {
  readonly most: number
  readonly mostOfShare: number
  /** The items of all owners, the one that was used least recently first. */
  readonly order = new Map<Item, Share<Item>>()
  /** The item that was used last. */
  latest: Item | undefined
  bytes = 0

  constructor(most: number, mostOfShare: number) {
    this.most = most
    this.mostOfShare = mostOfShare
  }

  /** Returns the share of one owner. `end` is called with an item that must leave memory, and must call `remove` with it. */
  share(end: (item: Item) => void): Share<Item> {
    return new Share(this, end)
  }
}

/** The items of one owner in a budget. */
class Share<Item> {
  bytes = 0
  private readonly budget: ByteBudget<Item>
  private readonly end: (item: Item) => void
  /** The sizes of the items in bytes, also in the order of their last use. */
  private readonly sizes = new Map<Item, number>()

  constructor(budget: ByteBudget<Item>, end: (item: Item) => void) {
    this.budget = budget
    this.end = end
  }

  /** Notes that an item is used. Does nothing for one that has no size here. */
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

  /** Adds bytes to the size of an item, or subtracts them, and ends items while there are too many bytes. A new item counts as used. */
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

  /** Returns the size of an item in bytes; 0 for an unknown one. */
  sizeOf(item: Item): number {
    return this.sizes.get(item) ?? 0
  }

  /** Forgets an item and its size. */
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
