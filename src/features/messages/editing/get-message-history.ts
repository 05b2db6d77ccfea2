import { z } from 'zod'
import type { MessageRow } from '../../../db/schema.ts'
import type { Edit } from '../../../db/values.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { withoutLinkPreviews } from '../../../markdown/render.ts'
import { editParts, visibleEdits } from '../../kernel/editing/edit-history.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
import { topicView } from '../../kernel/messages/message-view.ts'
import { htmlDifference } from './html-difference.ts'
import { editLimits } from './limits.ts'

export const getMessageHistory = query('GET /messages/{message_id}/history', {
  summary: "Get a message's edit history",
  rank: 'heavy',
  fromReplica: true,
  access: requireUser,
  params: { message_id: pathInteger(), allow_empty_topic_name: boolean().default(false) },
  returns: { message_history: z.array(z.looseObject({ timestamp: z.int(), user_id: z.int().nullable() })) },
  async handle({ realm, me, params, read }) {
    const message = await messageToRead(realm, me, read, params.message_id)
    const edits = visibleEdits(realm, message)
    if (!edits) throw badRequest('Message edit history is disabled in this organization')
    return { message_history: historyOf(realm, message, edits, params.allow_empty_topic_name) }
  },
})

/** Returns the message as it was sent and as each edit left it, oldest first. `edits`: newest first. */
function historyOf(realm: RealmState, message: MessageRow, edits: Edit[], emptyTopicName: boolean) {
  // Iterates backwards: the content that an edit replaced is the content that the previous edit wrote.
  let { topic, content } = message
  let rendered_content = withoutLinkPreviews(message.rendered_content)
  const shown = (topic: string) => topicView(realm, { ...message, topic }, { emptyTopicName })
  const moments: object[] = []
  const steps = Math.min(editLimits.diffSteps, editLimits.historyDiffSteps / edits.length)
  for (const edit of edits) {
    const { topic: _, ...parts } = editParts(edit, emptyTopicName)
    moments.push({
      topic: shown(edit.topic?.[1] ?? topic),
      content,
      rendered_content,
      timestamp: edit.at,
      user_id: edit.user_id,
      ...parts,
      ...(edit.rendered !== undefined && {
        content_html_diff: htmlDifference(edit.rendered, rendered_content, steps),
      }),
    })
    topic = edit.topic?.[0] ?? topic
    content = edit.content ?? content
    rendered_content = edit.rendered ?? rendered_content
  }
  const sent = { timestamp: message.sent_at, user_id: message.sender_id }
  return [...moments, { topic: shown(topic), content, rendered_content, ...sent }].reverse()
}
