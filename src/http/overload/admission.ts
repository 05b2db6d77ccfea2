import { ApiError, notReady, tooManyRequests } from '../../lib/api-error.ts'
import { FairSemaphore, type SemaphoreCaller, slotError } from '../../lib/async/fair-semaphore.ts'
import type { Excess, Observer } from '../../lib/observer.ts'
import type { Rank } from '../endpoint.ts'
import { httpLimits } from '../limits.ts'

const { concurrentRequests, concurrentRequestsPerOrganization, concurrentRequestsPerUser } = httpLimits
const { essentialRequests, heavyPercent, heavyWaiting, heavyWaitingEach } = httpLimits
const { concurrentLarge, largeWaiting, largeWaitingEach } = httpLimits
const usualLimits = {
  concurrentRequests,
  concurrentRequestsPerOrganization,
  concurrentRequestsPerUser,
  essentialRequests,
  concurrentLarge,
  largeWaiting,
  largeWaitingEach,
  heavyWaiting,
  heavyWaitingEach,
}

/** How many requests a node works on; see limits.ts. */
export type AdmissionLimits = Record<keyof typeof usualLimits, number>

/**
 * Limits the number of requests that a node works on, and with it everything that they wait for and how long they wait. It refuses further
 * requests before any work is done for them: with 429 if one user sends too many, otherwise with 503. Some places are reserved for
 * essential requests; large and heavy ones run a few at a time, in fair rotation.
 */
export class Admission {
  private readonly places: FairSemaphore
  private readonly lines: Record<'large' | 'heavy', FairSemaphore>
  private readonly limits: AdmissionLimits
  private readonly observer: Pick<Observer, 'refused'> | undefined

  /** `readers`: how many connections to the database read. */
  constructor(readers: number, observer?: Pick<Observer, 'refused'>, limits: AdmissionLimits = usualLimits) {
    const heavy = Math.max(1, Math.floor((readers * heavyPercent) / 100))
    this.places = new FairSemaphore(limits.concurrentRequests, limits.concurrentRequestsPerUser, {
      most: 0,
      each: 0,
    })
    this.lines = {
      large: lineOf(limits.concurrentLarge, limits.largeWaiting, limits.largeWaitingEach),
      heavy: lineOf(heavy, limits.heavyWaiting, limits.heavyWaitingEach),
    }
    this.limits = limits
    this.observer = observer
  }

  /** How many requests are under way, and how many of them wait for a heavy one. */
  get use(): { underWay: number; waiting: number } {
    return { underWay: this.places.held, waiting: this.lines.heavy.waitingCount }
  }

  /**
   * Whether a request of this rank would be refused now for every user of this organization. Counts it as refused if
   * so.
   */
  refuses(rank: Rank | undefined, organization: string): boolean {
    const obstacle = this.places.obstacle(this.withReserve(rank, { group: organization, name: '' }))
    if (obstacle) this.observer?.refused(obstacle === 'group' ? 'organization' : 'node')
    return obstacle !== undefined
  }

  /**
   * Throws 429 or 503 if a request would be refused now. Returns the caller with the number of places that it must
   * leave free.
   */
  check(rank: Rank | undefined, caller: SemaphoreCaller): SemaphoreCaller {
    const limited = this.withReserve(rank, caller)
    const obstacle = this.places.obstacle(limited)
    if (!obstacle) return limited
    this.observer?.refused(excesses[obstacle])
    throw obstacle === 'caller' ? tooManyRequests(1) : new TooBusy()
  }

  /**
   * Takes a place, and resolves with the function that releases it; calling that twice does no harm. Throws 429 or 503. `gone` returns a
   * signal that aborts when the client leaves.
   */
  async enter(rank: Rank | undefined, caller: SemaphoreCaller, gone: () => AbortSignal): Promise<() => void> {
    const leave = this.places.takeFree(this.check(rank, caller))
    if (rank !== 'large' && rank !== 'heavy') return leave
    const line = this.lines[rank]
    // Creating a signal takes a twentieth of the time of a search, so one is made only if the request has to wait.
    const signal = line.obstacle(caller) && gone()
    try {
      const end = await line.take(caller, httpLimits.heavyWaitSeconds, signal)
      return () => {
        end()
        leave()
      }
    } catch (error) {
      leave()
      if (!signal?.aborted) this.observer?.refused(rank)
      throw slotError(error, busyTexts[rank])
    }
  }

  /** Returns the caller with the number of places that it must leave free for requests of higher ranks. */
  private withReserve(rank: Rank | undefined, caller: SemaphoreCaller): SemaphoreCaller {
    const { essentialRequests: kept, concurrentRequestsPerOrganization } = this.limits
    const leaves = rank === 'essential' ? 0 : rank === 'large' ? Math.ceil(kept / 2) : kept
    const { group, name } = caller
    return { group, name, groupMost: concurrentRequestsPerOrganization - leaves, leaves }
  }
}

function lineOf(concurrency: number, most: number, each: number) {
  return new FairSemaphore(concurrency, Math.ceil(concurrency / 2), { most, each })
}

/** The exceeded limit as monitors name it, by the obstacle. */
const excesses = { caller: 'user', group: 'organization', all: 'node' } as const satisfies Record<
  string,
  Excess
>

const busyText = 'The server has too much to do right now. Try again in a moment.'

const busyTexts = {
  large: busyText,
  heavy: 'The server has too many searches to do right now. Try again in a moment.',
}

/** 503: the node works on as many requests as it may. */
export class TooBusy extends ApiError {
  constructor() {
    const { message, code, status, data } = notReady(busyText)
    super(message, code, status, data)
  }
}
