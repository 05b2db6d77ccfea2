import type { Interval } from '../../db/values.ts'
import { joinedRanges } from './ranges.ts'

/** Runs of messages that follow each other in a conversation, and the place of the last one among all of its messages. */
type Runs = { ranges: Interval[]; place: number }

/** The messages of a conversation that a user has received, and the unread ones among them. */
type Reception = { received: Runs; unread: Runs }

/** A conversation or channel while its messages are read: how many there were, and what they were to its users. */
export class Receptions {
  private readonly byUser = new Map<number, Reception>()
  private count = 0
  private newest = 0

  /** Notes that the next message comes. Returns false if it is older than another: it joins no others. */
  begin(messageId: number): boolean {
    this.count += 1
    const isNewer = messageId > this.newest
    if (isNewer) this.newest = messageId
    return isNewer
  }

  /** Notes that a user has this message, which is the one that has just begun. */
  receive(userId: number, messageId: number, isRead: boolean, isNewer: boolean) {
    const { received, unread } = this.of(userId)
    this.extend(received, messageId, isNewer)
    if (!isRead) this.extend(unread, messageId, isNewer)
  }

  /** Returns the ids that a user has received, from each to before the next that they have not. */
  received(userId: number): Interval[] {
    return joinedRanges(this.byUser.get(userId)?.received.ranges ?? [])
  }

  /** Returns the ids that a user has not read. Between them may be those of other conversations. */
  unread(userId: number): Interval[] {
    return joinedRanges(this.byUser.get(userId)?.unread.ranges ?? [])
  }

  /** Whether a user has received the newest message. */
  hasNewest(userId: number): boolean {
    return this.count > 0 && this.byUser.get(userId)?.received.place === this.count
  }

  private of(userId: number): Reception {
    const known = this.byUser.get(userId)
    if (known) return known
    const made = { received: { ranges: [], place: -1 }, unread: { ranges: [], place: -1 } }
    this.byUser.set(userId, made)
    return made
  }

  private extend(runs: Runs, messageId: number, isNewer: boolean) {
    const last = runs.ranges.at(-1)
    if (isNewer && last && runs.place === this.count - 1) last[1] = messageId + 1
    else runs.ranges.push([messageId, messageId + 1])
    if (isNewer) runs.place = this.count
  }
}
