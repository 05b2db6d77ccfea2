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

  /** The first step, in which clients get events immediately. */
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

  /** Whether it is over because of its checks or bytes, rather than the number of its clients. */
  get isLarge(): boolean {
    return this.checks >= this.limits.checks || this.bytes >= this.limits.bytes
  }
}
