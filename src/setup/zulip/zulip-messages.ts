import { sql } from 'kysely'
import type { AccountRow } from '../../db/schema.ts'
import { withinLength } from '../../features/kernel/messages/message-text.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { type Lookup, render } from '../../markdown/render.ts'
import { topicFrom } from '../names.ts'
import type { ImportContext } from './import-context.ts'
import { zulipLimits } from './limits.ts'
import { MessageBatch } from './message-batch.ts'
import { editsOf } from './zulip-edits.ts'
import { ZulipLookup } from './zulip-lookup.ts'
import type { ZulipPlace } from './zulip-places.ts'
import { ZulipReactions } from './zulip-reactions.ts'
import type { ZulipMessage, ZulipUserMessage } from './zulip-tables.ts'
import { ZulipWidgets } from './zulip-widgets.ts'

type Context = Pick<
  ImportContext,
  'change' | 'source' | 'url' | 'people' | 'places' | 'subscriptions' | 'uploads' | 'site' | 'report'
>

/** A message with what belongs to it. */
type Arriving = {
  message: ZulipMessage & { date_sent: number }
  sender: AccountRow
  place: ZulipPlace
  users: readonly ZulipUserMessage[]
}

/** The flags of a message that a user has, as bits. */
const flagBits = { read: 1, topicMentioned: 32 } as const
const namedFlags = [
  ['mentioned', 8 | 64],
  ['starred', 2],
  ['collapsed', 4],
  ['has_alert_word', 512],
] as const
/** A message that came to a user only later, as one that they have starred. */
const historical = 1024

/** Writes the messages of an export, with their ids. */
export class ZulipMessages {
  private readonly context: Context
  private readonly clients: ReadonlyMap<number, { name: string }>
  private readonly lookup: ZulipLookup
  private readonly widgets: ZulipWidgets
  private newest = 0
  written = 0

  constructor(context: Context) {
    this.context = context
    const { change, source, url, people, uploads } = context
    this.lookup = new ZulipLookup(change.state, source, url, uploads)
    this.widgets = new ZulipWidgets(source, people)
    this.clients = source.byId('zerver_client')
  }

  async addAll() {
    const { change, source, people, site, report } = this.context
    const reactions = new ZulipReactions(change.state, source, people)
    let reportedAt = site.clock()
    for await (const { messages, userMessages, ...file } of source.messageFiles()) {
      reactions.addAll(file.reactions)
      const byMessage = groupBy(userMessages, ({ message }) => message)
      const batch = new MessageBatch()
      const repeated = await this.known(messages)
      for (const message of messages) {
        const arriving = repeated.has(message.id)
          ? source.leftOut.add('repeated')
          : await this.arriving(message, byMessage.get(message.id) ?? [])
        repeated.add(message.id)
        if (!arriving) continue
        this.add(batch, arriving)
        batch.reaction.push(...reactions.take(message.id))
      }
      await batch.write(change)
      this.written += batch.message.length
      if (site.clock() < reportedAt + zulipLimits.progressSeconds) continue
      reportedAt = site.clock()
      report(`${this.written} messages are imported: ${file.number} of ${file.count} files.`)
    }
    change.lastMessageId = Math.max(change.lastMessageId, this.newest)
    reactions.finish()
    this.widgets.finish()
  }

  /** Returns the ids of messages that another file has brought. In old versions, some files go back in time. */
  private async known(messages: readonly ZulipMessage[]): Promise<Set<number>> {
    const ids = messages.filter(({ id }) => id <= this.newest).map(({ id }) => id)
    if (ids.length === 0) return new Set()
    const { change } = this.context
    const found = await change.run(sql<{ id: number }>`
      SELECT id FROM message WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[])`)
    return new Set(found.map(({ id }) => id))
  }

  private async arriving(
    message: ZulipMessage,
    users: readonly ZulipUserMessage[],
  ): Promise<Arriving | undefined> {
    const { people, places, source } = this.context
    const sender = people.get(message.sender)
    const place = sender && (await places.of(message.recipient, sender))
    if (!sender || !place) return source.leftOut.add('lostReferences')
    const date_sent = message.date_sent ?? message.pub_date
    if (date_sent === null) return source.leftOut.add('damagedRows')
    return { message: { ...message, date_sent }, sender, place, users }
  }

  private add(batch: MessageBatch, { message, sender, place, users }: Arriving) {
    const { uploads, people } = this.context
    const { id, date_sent: sent_at } = message
    this.newest = Math.max(this.newest, id)
    const lookup = this.lookup.of(sender)
    const content = this.textOf(message.content)
    const { html, version, facts } = render(content, lookup)
    const known = users.filter(({ user_profile }) => people.users.has(user_profile))
    const called = known.filter(({ flags_mask }) => flags_mask & flagBits.topicMentioned)
    batch.message.push({
      ...this.placed(message, sender, place, lookup),
      content,
      rendered_content: html,
      rendered_version: version,
      is_me_message: facts.isMeMessage,
      mentions_channel: facts.wildcard.channel,
      mentions_topic: facts.wildcard.topic && place.channel !== undefined,
      read_by_sender: isReadBy(sender, known),
      has_link: facts.hasLink,
      has_image: facts.hasImage,
      has_attachment: facts.hasAttachment,
      topic_mentioned: place.channel && called.length > 0 ? called.map((row) => row.user_profile) : null,
    })
    const linked = uploads.linkedFrom(id, facts.uploadPaths)
    batch.attachment_message.push(
      ...linked.map((attachment_id) => ({ attachment_id, message_id: id, sent_at })),
    )
    const { definition, submessages } = this.widgets.take(id, sender, content)
    batch.addWidget(id, sender.id, definition)
    batch.submessage.push(...submessages)
    this.addUsers(batch, id, place, known)
  }

  /** Returns what is known of a message besides its text. */
  private placed(
    message: Arriving['message'],
    sender: AccountRow,
    { recipientId, channel }: ZulipPlace,
    lookup: Lookup,
  ) {
    const { people, source } = this.context
    const topic = channel ? topicFrom(message.subject) : ''
    return {
      id: message.id,
      recipient_id: recipientId,
      sender_id: sender.id,
      topic,
      client: this.clients.get(message.sending_client ?? 0)?.name ?? 'Zulip',
      sent_at: message.date_sent,
      ...editsOf(message, {
        people,
        sender,
        topic,
        channelId: channel?.id ?? null,
        leftOut: source.leftOut,
        textOf: (text) => this.textOf(text),
        htmlOf: (text) => render(text, lookup).html,
      }),
    }
  }

  private textOf(content: string): string {
    return withinLength(this.context.uploads.relinked(content))
  }

  /** Adds what a message is to the users who have it. */
  private addUsers(
    batch: MessageBatch,
    id: number,
    { recipientId, channel }: ZulipPlace,
    users: ZulipUserMessage[],
  ) {
    const { subscriptions } = this.context
    const receptions = subscriptions.of(recipientId)
    const isNewer = receptions.begin(id)
    const isProtected = channel !== undefined && !channel.history_public_to_subscribers
    if (isProtected && !isNewer) {
      throw new Error(`The export is damaged: the messages of the channel ${channel.name} are not in order.`)
    }
    for (const { user_profile, flags_mask } of new Map(
      users.map((row) => [row.user_profile, row]),
    ).values()) {
      subscriptions.noteRows(user_profile)
      for (const [flag, bits] of namedFlags) {
        if (flags_mask & bits) batch.message_flag.push({ user_id: user_profile, message_id: id, flag })
      }
      const isRead = (flags_mask & flagBits.read) !== 0
      // In a protected history, a user who has a message may read it.
      if (isProtected || !(flags_mask & historical)) receptions.receive(user_profile, id, isRead, isNewer)
    }
  }
}

/** Whether a message counts as read by its sender: if the export does not say otherwise. */
function isReadBy({ id }: AccountRow, users: readonly ZulipUserMessage[]): boolean {
  const own = users.find(({ user_profile }) => user_profile === id)
  return !own || (own.flags_mask & flagBits.read) !== 0
}
