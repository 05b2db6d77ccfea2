import { sql } from 'kysely'
import type { AccountRow, AttachmentMessageRow, MessageFlagRow, ReactionRow } from '../../db/schema.ts'
import { unchanged } from '../../features/kernel/messages/columns.ts'
import { markdownLookup } from '../../features/kernel/messages/markdown-lookup.ts'
import { mentionedUsers } from '../../features/messages/kernel/messages/mentions.ts'
import { openConversation } from '../../features/messages/kernel/messages/recipients.ts'
import { pictureOf } from '../../features/messages/kernel/uploads/thumbnails.ts'
import { must } from '../../lib/must.ts'
import type { Change } from '../../log/change.ts'
import { render } from '../../markdown/render.ts'
import { slackEmoji } from './emoji-names.ts'
import { slackLimits } from './limits.ts'
import type { SlackNames } from './mrkdwn.ts'
import type { SlackAccounts } from './slack-accounts.ts'
import { filesOfMessage, type PlacedMessage, type SlackMessage } from './slack-export.ts'
import type { SlackFiles } from './slack-files.ts'
import { type ImportedPlace, unnamedChannel } from './slack-places.ts'
import { isSlackNote, partsOfText, slackText } from './slack-texts.ts'
import { SlackTopics } from './slack-topics.ts'

/** The organization that the messages of an export go into. */
type Context = {
  change: Change
  /** The address of the organization. */
  url: string
  accounts: SlackAccounts
  places: ReadonlyMap<string, ImportedPlace>
  files: SlackFiles
}

type New<Row> = Omit<Row, 'realm_id'>

type NewRows = {
  message: Parameters<typeof Change.prototype.insertAll<'message'>>[1]
  message_flag: New<MessageFlagRow>[]
  attachment_message: New<AttachmentMessageRow>[]
  reaction: Reaction[]
}

type Reaction = New<Omit<ReactionRow, 'id'>>

/** Writes the messages of an export, in the order in which they are given to it. */
export class SlackMessages {
  private readonly context: Context
  private readonly topics = new SlackTopics()
  private rows: NewRows = noRows()
  private written = 0
  private lostReactions = 0

  constructor(context: Context) {
    this.context = context
  }

  /** How many messages there are now, and how many reactions were left out, as they were with emoji of the workspace. */
  get counts(): { messages: number; lostReactions: number } {
    return { messages: this.written, lostReactions: this.lostReactions }
  }

  async add({ placeId, message }: PlacedMessage) {
    const { change, accounts, places, files } = this.context
    const place = places.get(placeId)
    if (!place || isSlackNote(message)) return
    const author = await accounts.authorOf(message)
    const links: string[] = []
    for (const file of filesOfMessage(message)) links.push(await files.linkTo(file, author))
    const content = slackText(message, namesIn(place, this.context), links.filter(Boolean))
    const receiving = await withAuthor(change, place, author)
    const topic = place.channel ? this.topics.of(placeId, message, content) : ''
    for (const part of partsOfText(content)) this.addPart(message, receiving, author, topic, part)
    this.addReactions(message)
    if (this.rows.message.length >= slackLimits.messagesPerStatement) await this.flush()
  }

  /** Writes what is left, and marks everything as read. */
  async finish() {
    await this.flush()
    const { change } = this.context
    const { id } = change.state
    const all = sql`int8multirange(int8range(1, ${change.lastMessageId + 1}))`
    await change.run(sql`
      INSERT INTO read_state (realm_id, user_id, recipient_id, read)
      SELECT s.realm_id, s.user_id, c.recipient_id, ${all} FROM subscription s
      JOIN channel c ON c.realm_id = s.realm_id AND c.id = s.channel_id WHERE s.realm_id = ${id}
      UNION ALL
      SELECT r.realm_id, user_id, r.id, ${all} FROM recipient r, unnest(r.user_ids) AS user_id WHERE r.realm_id = ${id}`)
    // Imported messages cause no notifications.
    await change.insert('missed_position', { message_id: change.lastMessageId })
  }

  private addPart(
    { ts, edited }: SlackMessage,
    place: ImportedPlace,
    author: AccountRow,
    topic: string,
    content: string,
  ) {
    const { change, url, files } = this.context
    const lookup = {
      ...markdownLookup(change.state, url, author),
      picture: (path: string) => pictureAt(files, path),
    }
    const { html, version, facts } = render(content, lookup)
    const id = change.nextMessageId()
    const sent_at = secondsOf(ts)
    this.rows.message.push({
      ...unchanged,
      id,
      recipient_id: place.recipientId,
      sender_id: author.id,
      topic,
      content,
      rendered_content: html,
      rendered_version: version,
      client: 'Slack',
      is_me_message: facts.isMeMessage,
      mentions_channel: facts.wildcard.channel,
      mentions_topic: false,
      read_by_sender: true,
      has_link: facts.hasLink,
      has_image: facts.hasImage,
      has_attachment: facts.hasAttachment,
      topic_mentioned: null,
      sent_at,
      last_edited_at: edited?.ts === undefined ? null : secondsOf(edited.ts),
    })
    for (const user_id of mentionedUsers(change.state, place, facts)) {
      this.rows.message_flag.push({ user_id, message_id: id, flag: 'mentioned' })
    }
    for (const path of facts.uploadPaths) {
      const upload = files.at(path)
      if (upload) this.rows.attachment_message.push({ attachment_id: upload.id, message_id: id, sent_at })
    }
  }

  private addReactions({ reactions }: SlackMessage) {
    const { change, accounts } = this.context
    const found = new Map<string, Reaction>()
    for (const { name, users } of reactions) {
      const emoji = slackEmoji(name)
      if (!emoji) this.lostReactions += users.length
      for (const user of emoji ? users : []) {
        const account = accounts.get(user)
        if (!account) continue
        const { code, name: emoji_name } = must(emoji, 'emoji')
        // Reactions that differ only by the tone of the skin are the same here.
        found.set(`${account.id} ${code}`, {
          message_id: change.lastMessageId,
          user_id: account.id,
          reaction_type: 'unicode_emoji',
          emoji_code: code,
          emoji_name,
        })
      }
    }
    this.rows.reaction.push(...found.values())
  }

  private async flush() {
    const { change } = this.context
    const { message, message_flag, attachment_message, reaction } = this.rows
    this.rows = noRows()
    await change.insertAll('message', message)
    await change.insertAll('message_flag', message_flag)
    await change.insertAll('attachment_message', attachment_message)
    await change.insertAll('reaction', reaction)
    this.written += message.length
  }
}

function noRows(): NewRows {
  return { message: [], message_flag: [], attachment_message: [], reaction: [] }
}

function pictureAt(files: SlackFiles, path: string) {
  const upload = files.at(path)
  return upload && pictureOf(upload)
}

/** Someone who has left a conversation, or a bot, may have written there. */
async function withAuthor(change: Change, place: ImportedPlace, { id }: AccountRow): Promise<ImportedPlace> {
  if (!place.userIds || place.userIds.includes(id)) return place
  const userIds = [...place.userIds, id].sort((a, b) => a - b)
  return { ...place, recipientId: (await openConversation(change, userIds)).id, userIds }
}

/**
 * The names that a text in a conversation may refer to. Private channels keep their names from users who are not
 * members.
 */
function namesIn({ readers }: ImportedPlace, { accounts, places }: Context): SlackNames {
  return {
    person(id) {
      const user = accounts.get(id)
      return user && `${user.is_active ? '@' : '@_'}**${user.full_name}|${user.id}**`
    },
    channel(id) {
      const { channel, readers: insiders } = places.get(id) ?? {}
      if (!channel) return undefined
      const isKnown = !insiders || (readers && [...readers].every((reader) => insiders.has(reader)))
      return isKnown ? `#**${channel.name}**` : unnamedChannel
    },
  }
}

function secondsOf(ts: string): number {
  return Math.floor(Number(ts))
}
