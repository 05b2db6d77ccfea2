import type { ChannelRow, SubscriptionRow } from '../../db/schema.ts'
import type { Interval } from '../../db/values.ts'
import { chunksOf } from '../../lib/collections/chunks-of.ts'
import type { ImportContext } from './import-context.ts'
import { zulipLimits } from './limits.ts'
import { joinedRanges, multirange, rangesSince, rangesWithout } from './ranges.ts'
import { Receptions } from './receptions.ts'
import { spansInAuditLog } from './subscribed-spans.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Context = Pick<ImportContext, 'change' | 'source' | 'people' | 'places'>
type Subscription = { row: ZulipRow<'zerver_subscription'>; channel: ChannelRow }
type History = { received: Interval[]; unread: Interval[] }

/** The subscriptions of an imported organization, and what users have received and read. */
export class ZulipSubscriptions {
  private readonly context: Context
  private readonly all: Subscription[]
  /** By our recipient. */
  private readonly receptions = new Map<number, Receptions>()
  private readonly withRows = new Set<number>()

  constructor(context: Context) {
    this.context = context
    const { source, people, places } = context
    const found = new Map<string, Subscription>()
    for (const row of source.rows('zerver_subscription')) {
      const channel = places.channel(row.recipient)
      // There are subscriptions to conversations, too.
      if (channel && people.user(row.user_profile))
        found.set(`${row.user_profile} ${channel.id}`, { row, channel })
    }
    this.all = [...found.values()]
  }

  /** Adds the active ones, so that what their users write can name private channels. What they have received follows. */
  async addActive() {
    const active = this.all.filter(({ row }) => row.active)
    await this.write('insertAll', active, () => [[1, null]])
  }

  /** Returns what users have received of a conversation or channel so far. */
  of(recipientId: number): Receptions {
    const known = this.receptions.get(recipientId) ?? new Receptions()
    this.receptions.set(recipientId, known)
    return known
  }

  /** Notes that the export says which messages a user has. */
  noteRows(userId: number) {
    this.withRows.add(userId)
  }

  /** Writes what users have received and read, once all messages are there. */
  async finish() {
    const spans = spansInAuditLog(this.context.source)
    const histories = new Map<Subscription, History>()
    for (const one of this.all) {
      histories.set(one, this.historyOf(one, spans(one.row.user_profile, one.channel.id)))
    }
    const received = (one: Subscription) => histories.get(one)?.received ?? []
    const [active, ended] = [true, false].map((wanted) => this.all.filter(({ row }) => row.active === wanted))
    await this.write('updateAll', active ?? [], received)
    await this.write(
      'insertAll',
      (ended ?? []).filter((one) => received(one).length > 0),
      received,
    )
    await this.writeRead(
      (active ?? []).map((one) => {
        const { user_profile: user_id } = one.row
        return { user_id, recipient_id: one.channel.recipient_id, unread: histories.get(one)?.unread ?? [] }
      }),
    )
    await this.finishConversations()
  }

  private async finishConversations() {
    const conversations = [...this.context.change.state.recipients.values()]
    await this.writeRead(
      conversations.flatMap(({ id: recipient_id, user_ids }) =>
        (user_ids ?? []).map((user_id) => {
          const unread = this.receptions.get(recipient_id)?.unread(user_id) ?? []
          return { user_id, recipient_id, unread }
        }),
      ),
    )
  }

  private async writeRead(rows: { user_id: number; recipient_id: number; unread: Interval[] }[]) {
    const { change } = this.context
    const all: Interval[] = [[1, change.lastMessageId + 1]]
    for (const part of chunksOf(rows, zulipLimits.rowsPerStatement)) {
      await change.insertAll(
        'read_state',
        part.map(({ unread, ...row }) => ({ ...row, read: multirange(rangesWithout(all, unread)) })),
      )
    }
  }

  private historyOf({ row, channel }: Subscription, spans: readonly Interval[]): History {
    const { user_profile: userId, active } = row
    const next = this.context.change.lastMessageId + 1
    const receptions = this.of(channel.recipient_id)
    const known = receptions.received(userId)
    let unread = receptions.unread(userId)
    let received = known
    const since = this.withoutRowsSince(userId)
    if (since !== undefined) {
      const missing = rangesSince(spans, since)
      received = joinedRanges([...known, ...missing])
      // For a user who has been away for long, the missing messages stay unread until they return.
      if (this.withRows.has(userId)) {
        unread = joinedRanges([...unread, ...rangesWithout(missing, rangesWithout(known, unread))])
      }
    }
    if (!active) return { received: rangesWithout(received, [[next, null]]), unread }
    const open = withOpenEnd(received, receptions.hasNewest(userId), next)
    return { received: channel.history_public_to_subscribers ? reachingBack(open, unread) : open, unread }
  }

  /**
   * Returns the message from which on the export does not say what a user has received: Zulip notes that of people who have been away
   * for long only when they return. Undefined if it says everything.
   */
  private withoutRowsSince(userId: number): number | undefined {
    if (!this.withRows.has(userId)) return 1
    const user = this.context.people.users.get(userId)
    return user?.long_term_idle ? (user.last_active_message_id ?? 0) + 1 : undefined
  }

  private async write(
    how: 'insertAll' | 'updateAll',
    all: Subscription[],
    received: (one: Subscription) => Interval[],
  ) {
    const { change } = this.context
    for (const part of chunksOf(all, zulipLimits.rowsPerStatement)) {
      await change[how](
        'subscription',
        part.map((one) => rowOf(one, received(one))),
      )
      // No client has heard of the organization yet.
      change.images.length = 0
    }
  }
}

function rowOf({ row, channel }: Subscription, received: Interval[]): Partial<SubscriptionRow> {
  return {
    user_id: row.user_profile,
    channel_id: channel.id,
    received,
    color: /^#[0-9a-f]{6}$/i.test(row.color) ? row.color.toLowerCase() : '#c2c2c2',
    is_muted: row.is_muted ?? row.in_home_view === false,
    pin_to_top: row.pin_to_top,
    desktop_notifications: row.desktop_notifications,
    audible_notifications: row.audible_notifications,
    push_notifications: row.push_notifications,
    email_notifications: row.email_notifications,
    wildcard_mentions_notify: row.wildcard_mentions_notify,
  }
}

/** Returns what the user of an active subscription has received, so that the next message belongs to it. */
function withOpenEnd(received: Interval[], hasNewest: boolean, next: number): Interval[] {
  const last = received.at(-1)
  if (last?.[1] === null) return received
  return last && hasNewest ? [...received.slice(0, -1), [last[0], null]] : [...received, [next, null]]
}

/**
 * Joins the last intervals into one that has all unread messages: unread messages in earlier intervals would count as read. The
 * user could read the messages between the intervals anyway.
 */
function reachingBack(received: Interval[], unread: readonly Interval[]): Interval[] {
  const [first] = unread[0] ?? []
  if (first === undefined) return received
  const at = received.findIndex(([, to]) => to === null || to > first)
  return [...received.slice(0, at), [Math.min(received[at]?.[0] ?? first, first), null]]
}
