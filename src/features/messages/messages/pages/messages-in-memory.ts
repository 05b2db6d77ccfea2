import type { MessageBody } from '../../../kernel/messages/message.event.ts'
import { type Holder, MessageSegments } from '../../../kernel/messages/message-segments.ts'
import type { PageContent, PageMessage } from '../../../kernel/messages/page-rows.ts'
import { withRelation } from './reader-relations.ts'

/** Returns a message as it is kept in memory, from the body of its entry. */
export function sentMessage(body: unknown, content: PageContent, holder: Holder): PageMessage {
  const { message } = body as MessageBody
  const { submessages = null, reactions = null } = message
  const contentJson = JSON.stringify(message[content])
  const segments = new MessageSegments(holder)
  const shared = { ...message, submessages, reactions, contentJson, segments, in_read: false, own_flags: [] }
  return withRelation(shared, false)
}

/** Returns roughly how many bytes a message takes in memory: its object has some 25 fields, and its texts up to two bytes a character. */
export function sizeInMemory(message: PageMessage): number {
  const { contentJson, topic, edit_history, reactions, submessages, segments } = message
  const rare = [edit_history, reactions, submessages].filter((part) => part !== null)
  const texts = rare.reduce(
    (sum, part) => sum + JSON.stringify(part).length,
    contentJson.length + topic.length,
  )
  return 600 + 2 * texts + (segments?.size ?? 0)
}
