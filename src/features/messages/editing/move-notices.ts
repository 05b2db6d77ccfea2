import type { AccountRow } from '../../../db/schema.ts'
import { linkToTopic } from '../../kernel/channels/link-text.ts'
import { silentMention } from '../../people/kernel/users/names.ts'
import { channelMessageUrl } from '../kernel/messages/message-url.ts'
import type { Move } from './plan-update.ts'

type Place = Move['to']

/** A finished move. `isWhole`: the old topic is empty. `hadMessages`: the new topic had messages before the move. */
export type Moved = { move: Move; target: number; count: number; isWhole: boolean; hadMessages: boolean }

/**
 * Returns the notices for the new and the old topic. Some readers of a channel with protected history may not see all of
 * a topic, so a notice says nothing that depends on what else is, or was, in the topic.
 */
export function moveNotices(url: string, me: AccountRow, moved: Moved) {
  const { move, target, count } = moved
  const { from, to, mode } = move
  const isWhole = from.channel.history_public_to_subscribers ? moved.isWhole : mode === 'change_all'
  const hadMessages = to.channel.history_public_to_subscribers && moved.hadMessages
  const messages = `${count} messages were moved`
  const one = `[A message](${channelMessageUrl(url, move.to.channel, { id: target, topic: move.to.topic })}) was moved`
  const here = isWhole && !hadMessages ? 'This topic was moved' : count === 1 ? one : messages
  const away = isWhole
    ? 'This topic was moved'
    : `${count === 1 ? 'A message was moved' : messages} from this topic`
  return {
    here: `${here} here from ${linkTo(move.from)} by ${silentMention(me)}.`,
    away: `${away} to ${linkTo(move.to)} by ${silentMention(me)}.`,
  }
}

export function resolutionNotice(me: AccountRow, resolution: 'resolved' | 'unresolved') {
  return `${silentMention(me)} has marked this topic as ${resolution}.`
}

function linkTo({ channel, topic }: Place) {
  return linkToTopic(channel, topic)
}
