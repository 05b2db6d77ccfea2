import type { AccountRow, SubmessageRow } from '../../db/schema.ts'
import { widgetOf } from '../../features/messages/kernel/widgets/widget.ts'
import { submessageLimits } from '../../features/messages/widgets/limits.ts'
import { submessageFlaw } from '../../features/messages/widgets/submessage-flaw.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { isObject } from '../../lib/is-object.ts'
import { jsonIn } from '../../lib/json.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Given = ZulipRow<'zerver_submessage'>
type Submessage = Pick<SubmessageRow, 'message_id' | 'sender_id' | 'msg_type' | 'content'>

/** The JSON that makes a message a widget, and what users have done with the widget. */
type Widget = { definition: string | null; submessages: Submessage[] }

/** The polls, to-do lists and buttons of an export. Only newer versions export what users have done with them. */
export class ZulipWidgets {
  private readonly source: ZulipExport
  private readonly people: ZulipPeople
  private readonly byMessage: Map<number, Given[]>

  constructor(source: ZulipExport, people: ZulipPeople) {
    this.source = source
    this.people = people
    this.byMessage = groupBy(source.takeRows('zerver_submessage'), ({ message }) => message)
  }

  /** Returns the widget that a message is, once. */
  take(messageId: number, author: AccountRow, content: string): Widget {
    const given = (this.byMessage.get(messageId) ?? []).sort((a, b) => a.id - b.id)
    this.byMessage.delete(messageId)
    const [first, ...later] = given
    const isDefinition = first?.sender === author.id && isWidget(first.content)
    const definition =
      widgetOf(content, undefined) ??
      (isDefinition ? unlessRefused(() => widgetOf(content, first.content)) : undefined) ??
      null
    return { definition, submessages: this.valid(isDefinition ? later : given, definition, author) }
  }

  /** Counts what users have done with messages that have not come. */
  finish() {
    for (const left of this.byMessage.values()) this.source.leftOut.add('lostReferences', left.length)
  }

  private valid(given: readonly Given[], definition: string | null, author: AccountRow): Submessage[] {
    const valid: Submessage[] = []
    let size = definition?.length ?? 0
    for (const { message, sender, msg_type, content } of given) {
      const user = this.people.get(sender)
      const isShort =
        msg_type.length <= submessageLimits.submessageTypeLength &&
        content.length <= submessageLimits.submessageLength
      size += Buffer.byteLength(content)
      const isFull =
        valid.length >= submessageLimits.submessagesPerMessage || size > submessageLimits.submessagesLength
      const data = jsonIn(content)
      const isValid = data !== undefined && !submessageFlaw(definition, data, sender === author.id)
      if (!user) this.source.leftOut.add('lostReferences')
      else if (definition === null || !isShort || isFull || !isValid) this.source.leftOut.add('submessages')
      else valid.push({ message_id: message, sender_id: user.id, msg_type, content })
    }
    return valid
  }
}

function isWidget(content: string): boolean {
  const data = jsonIn(content)
  return isObject(data) && typeof data.widget_type === 'string'
}
