import type { AccountRow } from '../../db/schema.ts'
import { cutTopic, messageText } from '../../features/channels/kernel/messages/text.ts'
import { markdownLookup } from '../../features/kernel/messages/markdown-lookup.ts'
import { scheduledJobKind } from '../../features/messages/kernel/scheduled/scheduled.ts'
import { scheduledLimits } from '../../features/messages/scheduled/limits.ts'
import { scheduleJob } from '../../jobs/job.ts'
import { withoutUnprintable } from '../../lib/unprintable.ts'
import type { Change } from '../../log/change.ts'
import { render } from '../../markdown/render.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipPlaces } from './zulip-places.ts'
import type { ZulipRow } from './zulip-tables.ts'
import type { ZulipUploads } from './zulip-uploads.ts'

type Into = {
  change: Change
  source: ZulipExport
  url: string
  people: ZulipPeople
  places: ZulipPlaces
  uploads: ZulipUploads
}
type Scheduled = ZulipRow<'zerver_scheduledmessage'>

const sendLater = 1

/** Adds the messages that are still to be sent. Those that are due already are left out. */
export async function addScheduledMessages(into: Into) {
  const { change, source, people } = into
  const counts = new Map<number, number>()
  for (const row of source.rows('zerver_scheduledmessage')) {
    if (row.delivered) continue
    const sender = people.user(row.sender)
    const count = counts.get(row.sender) ?? 0
    const message = sender && count < scheduledLimits.scheduledMessagesPerUser && messageOf(into, row, sender)
    if (!message) source.leftOut.add('ownTexts')
    else {
      counts.set(row.sender, count + 1)
      const { id, deliver_at } = await change.insert('scheduled_message', message)
      await scheduleJob(change, scheduledJobKind, id, deliver_at)
    }
  }
}

function messageOf({ change, places, url, uploads }: Into, row: Scheduled, sender: AccountRow) {
  const channel = places.channel(row.recipient)
  const participants = channel ? undefined : places.participants(row.recipient, sender)
  const content = unlessRefused(() => messageText(uploads.relinked(row.content)))
  const isDue = row.scheduled_timestamp <= change.now || row.failed
  if (content === undefined || isDue || row.delivery_type !== sendLater || (!channel && !participants))
    return undefined
  const others = participants?.filter((id) => id !== sender.id) ?? []
  return {
    sender_id: sender.id,
    channel_id: channel?.id ?? null,
    user_ids: channel ? null : others.length > 0 ? others : [sender.id],
    topic: channel ? cutTopic(withoutUnprintable(row.subject).trim()) : '',
    content,
    rendered_content: render(content, markdownLookup(change.state, url, sender)).html,
    client: 'Zulip',
    read_by_sender: true,
    deliver_at: row.scheduled_timestamp,
  }
}
