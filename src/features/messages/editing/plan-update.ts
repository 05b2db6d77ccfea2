import { createHash } from 'node:crypto'
import type { AccountRow, ChannelRow, MessageRow } from '../../../db/schema.ts'
import type { Edit } from '../../../db/values.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToPostIn, channelToRead } from '../../kernel/channels/access.ts'
import { checkTopicPolicy } from '../../kernel/messages/may-send.ts'
import { messageText, removedText, topicName } from '../../kernel/messages/message-text.ts'
import {
  channelToChange,
  checkMayEdit,
  checkMayMoveOut,
  checkMayRename,
  checkMayResolve,
} from '../kernel/editing/access.ts'
import type { Target } from './edited-message.ts'
import { editLimits } from './limits.ts'
import { isResolvedEmptyTopic, resolution } from './resolved-topics.ts'

export const propagateModes = ['change_one', 'change_later', 'change_all'] as const

/** The parameters of a request to change a message. */
type Asked = {
  content?: string | undefined
  prev_content_sha256?: string | undefined
  topic?: string | undefined
  stream_id?: number | undefined
  propagate_mode: (typeof propagateModes)[number]
}

/** The user who moves messages, and the other parameters of the request. */
export type Mover = CallerContext<'read' | 'commit'> & {
  params: Asked & { send_notification_to_old_thread: boolean; send_notification_to_new_thread: boolean }
}

/** The changes to make. Everything is checked. */
type Plan = {
  /** The new text. */
  content?: string
  move?: Move
}

export type Move = {
  mode: Asked['propagate_mode']
  from: { channel: ChannelRow; topic: string }
  to: { channel: ChannelRow; topic: string }
  /** Whether the request names a channel. (Level 509 will distinguish whether it is a different one.) */
  changesChannel: boolean
  changesTopic: boolean
  resolution: 'resolved' | 'unresolved' | undefined
}

/** Checks a request against the message, the organization and the user. Throws the first error. */
export function planMessageUpdate(
  realm: RealmState,
  me: AccountRow,
  message: Target,
  asked: Asked,
  now: number,
): Plan {
  const channel = channelToChange(realm, message)
  if (asked.content !== undefined) checkMayEdit(realm, me, message, now)
  checkExpectation(message, asked.prev_content_sha256)
  checkHistoryHasRoom(message, asked)
  const renamed = asked.topic === undefined ? undefined : topicName(asked.topic)
  const topic = renamed === message.topic ? undefined : renamed
  checkForm(channel, asked, topic)
  if (asked.content !== undefined && message.is_widget) throw badRequest('Widgets cannot be edited.')
  const content = asked.content === undefined ? {} : { content: newText(asked.content) }
  if (!channel || (topic === undefined && asked.stream_id === undefined)) return content
  return { ...content, move: planMove({ realm, me, now }, message, channel, { ...asked, topic }) }
}

/** Throws unless the content that the client started from, if given, is the current content (level 379). */
function checkExpectation(message: MessageRow, hash: string | undefined) {
  if (hash === undefined || hash === createHash('sha256').update(message.content).digest('hex')) return
  throw new ApiError("'prev_content_sha256' value does not match the expected value.", 'EXPECTATION_MISMATCH')
}

/**
 * Throws if the edit history is full. The history is returned with the message on every fetch, so its size is limited.
 */
function checkHistoryHasRoom({ edit_history: edits }: MessageRow, { content }: Asked) {
  if (!edits) return
  const isTooLong = content !== undefined && bytesOf(edits) >= editLimits.editHistoryBytes
  if (isTooLong || edits.length >= editLimits.editsPerMessage) {
    throw badRequest('This message has been changed too often.')
  }
}

/** In JSON, a character takes up to six bytes. */
function bytesOf(edits: Edit[]): number {
  const texts = edits.map(({ content, rendered }) => JSON.stringify([content, rendered]))
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

function checkForm(channel: ChannelRow | undefined, asked: Asked, topic: string | undefined) {
  const { content, stream_id } = asked
  const moves = topic !== undefined || stream_id !== undefined
  if (content === undefined && !moves) throw badRequest('Nothing to change')
  if (!channel && stream_id !== undefined) throw badRequest('Direct messages cannot be moved to channels.')
  if (!channel && topic !== undefined) throw badRequest('Direct messages cannot have topics.')
  if (asked.propagate_mode !== 'change_one' && !moves) {
    throw badRequest('Invalid propagate_mode without topic edit')
  }
  if (topic !== undefined && isResolvedEmptyTopic(topic)) {
    throw badRequest('General chat cannot be marked as resolved')
  }
  if (content !== undefined && stream_id !== undefined) {
    throw badRequest('Cannot change message content while changing channel')
  }
}

/** Returns the new text. A message cannot become empty, so a removed text is replaced by a placeholder. */
function newText(sent: string) {
  return messageText(sent.trim() === '' ? removedText : sent)
}

function planMove(
  { realm, me, now }: { realm: RealmState; me: AccountRow; now: number },
  message: MessageRow,
  from: ChannelRow,
  asked: Asked,
): Move {
  const topic = asked.topic ?? message.topic
  const resolves = resolution(message.topic, topic)
  const to = asked.stream_id === undefined ? from : channelToRead(realm, me, asked.stream_id)
  if (resolves) checkMayResolve(realm, me, [from, to])
  else if (asked.topic !== undefined) checkMayRename(realm, me, message, [from, to], now)
  if (asked.stream_id !== undefined) {
    checkMayMoveOut(realm, me, message, from, now)
    channelToPostIn(realm, me, to.id)
  }
  checkTopicPolicy(realm, to, topic)
  return {
    mode: asked.propagate_mode,
    from: { channel: from, topic: message.topic },
    to: { channel: to, topic },
    changesChannel: asked.stream_id !== undefined,
    changesTopic: asked.topic !== undefined,
    resolution: resolves,
  }
}
