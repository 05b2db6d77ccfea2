import type {
  AttachmentMessageRow,
  MessageFlagRow,
  ReactionRow,
  Rows,
  SubmessageRow,
} from '../../db/schema.ts'
import { widgetSubmessage } from '../../features/kernel/widgets/submessages.ts'
import { chunksOf } from '../../lib/collections/chunks-of.ts'
import type { Change } from '../../log/change.ts'
import { zulipLimits } from './limits.ts'

type New<Row> = Omit<Row, 'realm_id'>

/** The rows of messages that are written together. */
export class MessageBatch {
  readonly message: New<Rows['message']>[] = []
  readonly message_flag: New<MessageFlagRow>[] = []
  readonly attachment_message: New<AttachmentMessageRow>[] = []
  readonly reaction: New<Omit<ReactionRow, 'id'>>[] = []
  /** The contents that make messages widgets: their ids follow from those of the messages. */
  readonly widget: New<SubmessageRow>[] = []
  readonly submessage: Omit<New<SubmessageRow>, 'id' | 'is_widget'>[] = []

  /** Adds the content that makes a message a widget, if there is any. */
  addWidget(messageId: number, senderId: number, content: string | null) {
    if (content === null) return
    this.widget.push({ ...widgetSubmessage(messageId, senderId, content), is_widget: true })
  }

  async write(change: Change) {
    await insert(change, 'message', this.message)
    await insert(change, 'message_flag', this.message_flag)
    await insert(change, 'attachment_message', this.attachment_message)
    await insert(change, 'reaction', this.reaction)
    await insert(change, 'submessage', this.widget)
    await insert(change, 'submessage', this.submessage)
  }
}

type Table = 'message' | 'message_flag' | 'attachment_message' | 'reaction' | 'submessage'

async function insert(change: Change, table: Table, rows: readonly object[]) {
  for (const part of chunksOf(rows, zulipLimits.rowsPerStatement)) {
    await change.insertAll(table, part)
  }
}
