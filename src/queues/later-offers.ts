import { guard, ignore } from '../lib/guard.ts'
import { StepSize } from './step-size.ts'

/** A client's turn. `after`: it has been offered every entry up to this number. `number`: rises from turn to turn. */
type Turn = { after: number; number: number }

/**
 * The waiting clients that are offered new entries later, in steps between which other requests go on. At its turn, a client is
 * offered all entries since its last offer. So this holds no entries, however many come meanwhile.
 */
export class LaterOffers<Client> {
  private readonly offer: (client: Client, after: number, step: StepSize) => void
  private readonly step: () => void
  private readonly beginSteps: () => void
  /** In the order in which they come. */
  private readonly turns = new Map<Client, Turn>()
  private lastNumber = 0
  private isStepping = false
  /** Callbacks, each called when no turn with its number or a lower one is left. */
  private marks: { number: number; done: () => void }[] = []

  /** `offer` adds what it does to the size of the step. */
  constructor(offer: (client: Client, after: number, step: StepSize) => void) {
    // An error with one client must not keep the others from their events.
    this.offer = guard((error) => process.emitWarning(error), offer)
    this.step = guard(ignore, () => this.takeStep())
    // Between two calls of setImmediate, Node reads the requests that have arrived; not before the first one.
    this.beginSteps = guard(ignore, () => setImmediate(this.step))
  }

  has(client: Client): boolean {
    return this.turns.has(client)
  }

  /** Returns the number up to which a client that has a turn has been offered everything; undefined for any other client. */
  afterOf(client: Client): number | undefined {
    return this.turns.get(client)?.after
  }

  /** Gives a turn to a client that has none. Then it is offered the entries after a number. */
  add(client: Client, after: number) {
    this.turns.set(client, { after, number: ++this.lastNumber })
    if (this.isStepping) return
    this.isStepping = true
    setImmediate(this.beginSteps)
  }

  remove(client: Client) {
    this.turns.delete(client)
  }

  /** Calls `done` when all present turns are over; immediately if there are none. */
  whenOver(done: () => void) {
    this.marks.push({ number: this.lastNumber, done })
    this.finish()
  }

  private takeStep() {
    const step = StepSize.ofLater()
    for (const [client, { after }] of this.turns) {
      this.turns.delete(client)
      step.clients += 1
      this.offer(client, after, step)
      if (step.isOver) break
    }
    this.finish()
    this.isStepping = this.turns.size > 0
    if (this.isStepping) setImmediate(this.step)
  }

  private finish() {
    const [next] = this.turns.values()
    while (this.marks[0] && (!next || this.marks[0].number < next.number)) this.marks.shift()!.done()
  }
}
