import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { namesIn } from '../../../lib/collections/records.ts'
import type { Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { Audience, ClientEvent } from '../../../log/entry.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { type LeftToRead, type Notice, postNotice } from '../../kernel/messages/post-notice.ts'
import { channelAudience } from '../kernel/channels/audience.ts'
import { channelNotice } from '../kernel/channels/channel-notices.ts'
import { channelsDeleted, channelUpdated, type Further } from '../kernel/channels/stream.event.ts'
import { channelRevealed, visibilityChange } from '../kernel/channels/visibility.ts'

type Step = { event: ClientEvent; audience: Audience } | { notice: Notice }

/**
 * A planned change of a channel, computed before anything is written: its new row and its events, in order. The plan is
 * valid as long as the state does not change.
 */
export class ChannelEdit {
  readonly realm: RealmState
  readonly me: AccountRow
  readonly site: Site
  readonly before: ChannelRow
  /** The channel with the edits made up to now. */
  channel: ChannelRow
  private readonly madeAt: number
  private readonly steps: Step[] = []

  constructor(realm: RealmState, site: Site, me: AccountRow, channel: ChannelRow) {
    this.realm = realm
    this.site = site
    this.me = me
    this.before = channel
    this.channel = channel
    this.madeAt = realm.changedAt
  }

  /** Returns whether the plan would be the same if it were computed now. */
  holds(state: RealmState) {
    return state === this.realm && state.changedAt === this.madeAt
  }

  set(columns: Partial<ChannelRow>) {
    this.channel = { ...this.channel, ...columns }
  }

  /**
   * Changes columns that decide who may see the channel. Some users gain the channel and some lose it; all others
   * receive the changed property.
   */
  setVisibility(columns: Partial<ChannelRow>, property: string, value: unknown, further?: Further) {
    const before = this.channel
    this.set(columns)
    const { gained, lost } = visibilityChange(this.realm, before, this.channel)
    if (gained.length > 0) {
      for (const event of channelRevealed(this.realm, this.channel)) this.emit(event, { users: gained })
    }
    this.emitProperty(property, value, further, gained)
    if (lost.length > 0) this.emit(channelsDeleted([this.channel.id]), { users: lost })
  }

  /** Emits one of the channel's properties, after it was set, to all users who may see it, except `except`. */
  emitProperty(property: string, value: unknown, further?: Further, except: number[] = []) {
    const audience = channelAudience(this.realm, this.channel)
    const event = channelUpdated(this.channel, property, value, further)
    this.emit(event, except.length > 0 ? { ...audience, except } : audience)
  }

  emit(event: ClientEvent, audience: Audience) {
    this.steps.push({ event, audience })
  }

  /** Posts a notice in the channel, unless it is archived: users expect no new messages there. */
  notify(content: string) {
    if (!this.channel.is_archived) this.post(content)
  }

  /** Posts a notice that arrives as read for subscribers, even if the channel is archived. */
  notifyQuietly(content: string) {
    this.post(content, { unreadFor: [] })
  }

  private post(content: string, reception: Pick<Notice, 'unreadFor'> = {}) {
    const notice = channelNotice(this, this.channel, content)
    this.steps.push({ notice: { ...notice, ...reception } })
  }

  /** Returns the notices that are still to be marked as read for some users. */
  async write(change: Change): Promise<(LeftToRead | undefined)[]> {
    const left: (LeftToRead | undefined)[] = []
    const changed = changedColumns(this.before, this.channel)
    if (Object.keys(changed).length > 0) await change.update('channel', { id: this.channel.id, ...changed })
    for (const step of this.steps) {
      if ('notice' in step) left.push(await postNotice(change, step.notice))
      else change.emit(step.event, step.audience)
    }
    return left
  }
}

function changedColumns(before: ChannelRow, after: ChannelRow): Partial<ChannelRow> {
  const columns = namesIn(after)
  return Object.fromEntries(
    columns.filter((column) => before[column] !== after[column]).map((column) => [column, after[column]]),
  )
}
