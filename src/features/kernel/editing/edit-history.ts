import type { MessageRow } from '../../../db/schema.ts'
import type { Edit } from '../../../db/values.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../settings/settings.ts'
import { shownTopic } from '../topics/shown-topic.ts'

/** Returns the edits of a message that readers may see, newest first, or undefined if they may not see any. */
export function visibleEdits(
  realm: RealmState,
  message: Pick<MessageRow, 'edit_history'>,
): Edit[] | undefined {
  const policy = realmSettings(realm).message_edit_history_visibility_policy
  if (policy === 'none') return undefined
  const edits = message.edit_history ?? []
  if (policy === 'all') return edits
  return edits
    .filter((edit) => edit.topic || edit.channel)
    .map(({ content: _, rendered: __, ...move }) => move)
}

/** Returns the fields of a message object that describe its edits. */
export function editsView(
  realm: RealmState,
  message: Pick<MessageRow, 'edit_history' | 'last_edited_at' | 'last_moved_at'>,
  emptyTopicName: boolean,
) {
  const edits = visibleEdits(realm, message)
  return {
    ...(edits && edits.length > 0 && { edit_history: edits.map((edit) => editView(edit, emptyTopicName)) }),
    ...(message.last_edited_at !== null && { last_edit_timestamp: message.last_edited_at }),
    ...(message.last_moved_at !== null && { last_moved_timestamp: message.last_moved_at }),
  }
}

function editView(edit: Edit, emptyTopicName: boolean) {
  return { user_id: edit.user_id, timestamp: edit.at, ...editParts(edit, emptyTopicName) }
}

/** Returns the parts of an edit as they are on the wire, without its author and time. */
export function editParts({ content, rendered, topic, channel }: Edit, emptyTopicName: boolean) {
  const name = (topic: string) => shownTopic(topic, emptyTopicName)
  return {
    ...(content !== undefined && { prev_content: content, prev_rendered_content: rendered }),
    ...(topic && { prev_topic: name(topic[0]), topic: name(topic[1]) }),
    ...(channel && { prev_stream: channel[0], stream: channel[1] }),
  }
}
