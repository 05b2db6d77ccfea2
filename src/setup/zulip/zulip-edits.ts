import type { AccountRow, MessageRow } from '../../db/schema.ts'
import type { Edit } from '../../db/values.ts'
import { jsonIn } from '../../lib/json.ts'
import { topicFrom } from '../names.ts'
import type { LeftOut } from './left-out.ts'
import { zulipLimits } from './limits.ts'
import type { ZulipPeople } from './zulip-people.ts'
import { type ZulipEdit, type ZulipMessage, zulipEdit } from './zulip-tables.ts'

type Edited = Pick<MessageRow, 'edit_history' | 'last_edited_at' | 'last_moved_at'>

/**
 * The message whose versions are made, and the functions that make them. `textOf` receives the Markdown of the export, and
 * `htmlOf` ours.
 */
type Making = {
  people: ZulipPeople
  sender: AccountRow
  /** The present topic and channel of the message: '' and null for direct messages. */
  topic: string
  channelId: number | null
  leftOut: LeftOut
  textOf(content: string): string
  htmlOf(content: string): string
}

/** Returns the earlier versions of a message, newest first as in the export. */
export function editsOf({ edit_history, last_edit_time }: ZulipMessage, making: Making): Edited {
  const versions = versionsIn(edit_history, making.leftOut)
  const edits: Edit[] = []
  // Each version was followed by the state that the next newer one replaced.
  let { topic, channelId } = making
  for (const version of versions) {
    const { prev_content, prev_topic = version.prev_subject, prev_stream } = version
    // Old versions do not say who it was. Only senders change texts, but others move messages.
    const probably = prev_content === undefined ? making.people.notifier : making.sender
    const editor = making.people.get(version.user_id) ?? probably
    const edit: Edit = { user_id: editor.id, at: version.timestamp }
    if (prev_content !== undefined) {
      edit.content = making.textOf(prev_content)
      edit.rendered = making.htmlOf(edit.content)
    }
    if (prev_topic !== undefined && channelId !== null) {
      edit.topic = [topicFrom(prev_topic), topic]
      topic = edit.topic[0]
    }
    if (prev_stream !== undefined && channelId !== null) {
      edit.channel = [prev_stream, channelId]
      channelId = prev_stream
    }
    edits.push(edit)
  }
  const newest = (isMeant: (edit: Edit) => unknown) => edits.find(isMeant)?.at ?? null
  return {
    edit_history: edits.length > 0 ? edits : null,
    last_edited_at:
      newest(({ content }) => content !== undefined) ?? (edits.length > 0 ? null : last_edit_time),
    last_moved_at: newest((edit) => edit.topic ?? edit.channel),
  }
}

function versionsIn(history: string | null, leftOut: LeftOut): ZulipEdit[] {
  if (history === null || history === '') return []
  const list = jsonIn(history)
  if (!Array.isArray(list)) return leftOut.add('damagedRows') ?? []
  return list.slice(0, zulipLimits.editsOfMessage).flatMap((item) => {
    const { success, data } = zulipEdit.safeParse(item)
    return success ? [data] : (leftOut.add('damagedRows') ?? [])
  })
}
