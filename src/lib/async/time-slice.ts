import { setImmediate as others } from 'node:timers/promises'
import { libLimits } from '../limits.ts'

/**
 * A slice of the event loop's time. Long work checks between its parts whether the slice is over, and if so waits until
 * other work has run.
 */
export class TimeSlice {
  private readonly ms: number
  private begun = performance.now()

  constructor(ms: number = libLimits.sliceMs) {
    this.ms = ms
  }

  get isOver() {
    return performance.now() - this.begun > this.ms
  }

  /** Yields the event loop to other work, and then begins the next slice. */
  async next() {
    await others()
    this.begun = performance.now()
  }
}

/** Maps items as `items.map(make)` does, but in slices of time: what `make` reads may change in between. */
export async function mapInSlices<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Made,
): Promise<Made[]> {
  const slice = new TimeSlice()
  const made: Made[] = []
  for (const item of items) {
    made.push(make(item))
    if (slice.isOver) await slice.next()
  }
  return made
}
