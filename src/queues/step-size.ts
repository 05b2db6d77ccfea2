import { queueLimits } from './limits.ts'

/** How much a step of a delivery has done so far. It is over when it has come to one of its limits. */
export class StepSize {
  clients = 0
  /** How often an entry was checked for a client. */
  checks = 0
  /** Bytes of the events that clients get. */
  bytes = 0
  private readonly limits: Pick<StepSize, 'clients' | 'checks' | 'bytes'>

  private constructor(limits: StepSize['limits']) {
    this.limits = limits
  }

  /** The step in which events come to clients immediately. */
  static ofFirst(): StepSize {
    const { clientsInFirstStep, checksInFirstStep, eventBytesInFirstStep } = queueLimits
    return new StepSize({
      clients: clientsInFirstStep,
      checks: checksInFirstStep,
      bytes: eventBytesInFirstStep,
    })
  }

  static ofLater(): StepSize {
    const { clientsPerStep, checksPerStep, eventBytesPerStep } = queueLimits
    return new StepSize({ clients: clientsPerStep, checks: checksPerStep, bytes: eventBytesPerStep })
  }

  get isOver(): boolean {
    return this.clients >= this.limits.clients || this.isLarge
  }

  /** Whether it is over because its clients have taken too much, rather than because there are very many. */
  get isLarge(): boolean {
    return this.checks >= this.limits.checks || this.bytes >= this.limits.bytes
  }
}
