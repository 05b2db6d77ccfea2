import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { JobContext } from '../../../jobs/job.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import type { BusyTopic, BusyTopics } from './busy-topics.ts'
import type { Digest, DigestTopic } from './digest-mail.ts'
import { missedTopics } from './missed-topics.ts'
import { channelsNewTo, newChannels } from './new-channels.ts'
import { type QuotedMessage, quotedMessages, unchangedMessages } from './quoted-messages.ts'

/** The last week of an organization: its first message, and the topics that are counted so far. */
export type Week = { since: number; busy: BusyTopics }

/** The contents planned for readers, and the messages that they quote. */
type DigestPlan = {
  of: ReadonlyMap<number, { topics: BusyTopic[]; channels: ChannelRow[] }>
  quoted: Map<number, QuotedMessage>
}

/** Finds what readers have missed, before the change that writes their digests. */
export async function planDigests(
  { log, read, site }: JobContext,
  { busy, since }: Week,
  readers: AccountRow[],
): Promise<DigestPlan> {
  const { state } = log
  const topics = await missedTopics(read, state, readers, { busy, since })
  const quoted = await quotedMessages(read, state, [...topics.values()].flat())
  const channels = newChannels(state, site.clock())
  const of = readers.map((user) => {
    return [
      user.id,
      { topics: topics.get(user.id) ?? [], channels: channelsNewTo(state, user, channels) },
    ] as const
  })
  return { of: new Map(of), quoted }
}

/**
 * Returns the digests of a plan, by reader, without parts that a reader can no longer read, and without empty digests.
 */
export async function plannedDigests(change: Change, plan: DigestPlan, readers: AccountRow[]) {
  const { state } = change
  const quoted = await unchangedMessages(change, plan.quoted)
  const digests = readers.flatMap((reader): [AccountRow, Digest][] => {
    const { topics = [], channels = [] } = plan.of.get(reader.id) ?? {}
    const digest = {
      topics: topics.flatMap((topic) => readableTopic(state, reader, topic, quoted)),
      channels: channelsNewTo(state, reader, channels),
    }
    return digest.topics.length + digest.channels.length > 0 ? [[reader, digest]] : []
  })
  return new Map(digests)
}

function readableTopic(
  realm: RealmState,
  reader: AccountRow,
  { recipient, first, messages: total }: BusyTopic,
  quoted: ReadonlyMap<number, QuotedMessage>,
): DigestTopic[] {
  const messages = first
    .flatMap((id) => quoted.get(id) ?? [])
    .filter((message) => mayRead(realm, reader, message))
  return messages.length > 0 ? [{ channel: realm.channelOf(recipient), messages, total }] : []
}
