import type { ChannelRow, RealmRow, Rows } from '../db/schema.ts'
import { IndexedTable } from '../lib/collections/indexed-table.ts'
import { lower } from '../lib/text/lower.ts'
import type { Bounds, Entry, RowImage } from './entry.ts'
import type { LogMoment } from './log-moment.ts'
import { Feed } from './memory/feed.ts'
import type { MessageMemory } from './memory/message-memory.ts'
import { NewestMessages } from './memory/newest-messages.ts'
import { RecentMessages } from './memory/recent-messages.ts'
import { Relations } from './memory/relations.ts'
import { PresenceBook, seenIn } from './presence.ts'
import { keyValues, type StateKey, type StateTable, stateTables } from './state-tables.ts'

type Table<T extends StateTable> = IndexedTable<Rows[T], StateKey<T>>
type Tables = { [T in StateTable]: Table<T> }

/** The parts of the underlying state that a draft reads. */
type Beneath = {
  tables: Tables
  firstMessages: Map<number, number>
  newestMessages: Map<number, number>
  presence: PresenceBook
}

/** Base class of RealmState: its `table` method declares a table over that of the underlying state. */
abstract class Layer {
  readonly id: number
  /** Seconds since 1970: some permissions begin with time. */
  readonly clock: () => number
  protected readonly beneath: Beneath | undefined

  constructor(id: number, clock: () => number, beneath?: Beneath) {
    this.id = id
    this.clock = clock
    this.beneath = beneath
  }

  protected table<T extends StateTable>(name: T): Table<T> {
    const beneath: Pick<Tables, T> | undefined = this.beneath?.tables
    return new IndexedTable<Rows[T], StateKey<T>>(name, stateTables[name], beneath?.[name])
  }
}

/**
 * An organization in memory: plain tables of rows, true to the log at `position`. Only `fold` changes it, and does so
 * in one synchronous step, so code that reads without waiting in between reads one moment. A draft is a layer over
 * such a state: it shows what a change has written so far, and leaves the state beneath as it is.
 */
export class RealmState extends Layer {
  /** The number of the last log entry that is folded in. */
  position = 0

  /** The stamp of that entry and the epoch of the log, which identify it. */
  stamp = 0
  epoch = ''

  /** The number of the last entry that changed a row. No later entry up to `position` has changed one. */
  changedAt = 0

  /** The id of the newest message that this node knows of. */
  lastMessageId = 0

  /** The ids of the oldest message of each channel that has any, by recipient. */
  readonly firstMessages: Map<number, number> = this.beneath?.firstMessages ?? new Map()

  /** The ids of the newest message of each channel or conversation that has any, by recipient. */
  readonly newestMessages: Map<number, number> = this.beneath?.newestMessages ?? new Map()

  /** When users were last present. Not among the rows, since it changes all the time. */
  readonly presence: PresenceBook = this.beneath?.presence ?? new PresenceBook()

  /** Messages of busy conversations, for those who read them. A draft has none. */
  readonly newest = new NewestMessages()

  /** The newest messages of all conversations. */
  readonly feed = new Feed()

  /** The read state and flags of readers among those messages. */
  readonly relations = new Relations()

  /** The conversations and topics of the newest messages, and for whom these are unread. */
  readonly recent = new RecentMessages()

  private readonly messages: readonly MessageMemory[] = [this.newest, this.feed, this.relations, this.recent]

  readonly realms = this.table('realm')
  readonly users = this.table('account')
  readonly userByEmail = this.users.uniqueIndex((user) => user.delivery_email.toLowerCase())
  readonly usersByFullName = this.users.index((user) => user.full_name.toLowerCase())
  readonly apiKeys = this.table('api_key')
  readonly apiKeyByHash = this.apiKeys.uniqueIndex((key) => key.hash)
  readonly apiKeysOfUser = this.apiKeys.index((key) => key.user_id)
  readonly sessions = this.table('session')
  readonly sessionByHash = this.sessions.uniqueIndex((session) => session.hash)
  readonly sessionsOfUser = this.sessions.index((session) => session.user_id)
  readonly recipients = this.table('recipient')
  readonly conversationByUsers = this.recipients.uniqueIndex((row) => row.user_ids?.join() ?? null)
  readonly conversationsOfUser = this.recipients.index((row) => row.user_ids)
  readonly channels = this.table('channel')
  readonly channelByName = this.channels.uniqueIndex((channel) => lower(channel.name))
  readonly channelFolders = this.table('channel_folder')
  readonly channelFolderByName = this.channelFolders.uniqueIndex((folder) => lower(folder.name))
  readonly channelsOfFolder = this.channels.index((channel) => channel.folder_id)
  readonly defaultChannelGroups = this.table('default_channel_group')
  readonly subscriptions = this.table('subscription')
  readonly subscriptionsOfUser = this.subscriptions.byFirst()
  readonly subscriptionsOfChannel = this.subscriptions.index((row) => row.channel_id)
  readonly groups = this.table('user_group')
  readonly groupByName = this.groups.uniqueIndex((group) => lower(group.name))
  readonly groupMembers = this.table('group_member')
  readonly membersOfGroup = this.groupMembers.byFirst()
  readonly groupsOfUser = this.groupMembers.index((row) => row.user_id)
  readonly groupSubgroups = this.table('group_subgroup')
  readonly subgroupsOfGroup = this.groupSubgroups.byFirst()
  readonly supergroupsOfGroup = this.groupSubgroups.index((row) => row.subgroup_id)
  readonly statuses = this.table('user_status')
  readonly alertWords = this.table('alert_words')
  readonly mutedUsers = this.table('muted_user')
  readonly mutedBy = this.mutedUsers.byFirst()
  readonly mutersOf = this.mutedUsers.index((row) => row.muted_user_id)
  readonly onboarding = this.table('onboarding')
  readonly profileFields = this.table('profile_field')
  readonly profiles = this.table('profile')
  readonly linkifiers = this.table('linkifier')
  readonly playgrounds = this.table('playground')
  readonly allowedDomains = this.table('allowed_domain')
  readonly botServices = this.table('bot_service')
  readonly allowedDomainByName = this.allowedDomains.uniqueIndex(({ domain }) => domain)
  readonly customEmoji = this.table('custom_emoji')
  readonly customEmojiByName = this.customEmoji.uniqueIndex((row) => (row.is_deactivated ? null : row.name))
  readonly pushDevices = this.table('push_device')
  readonly pushDevicesOfUser = this.pushDevices.index((row) => row.user_id)

  private readonly tables: Tables = {
    realm: this.realms,
    account: this.users,
    api_key: this.apiKeys,
    session: this.sessions,
    recipient: this.recipients,
    channel: this.channels,
    channel_folder: this.channelFolders,
    default_channel_group: this.defaultChannelGroups,
    subscription: this.subscriptions,
    user_group: this.groups,
    group_member: this.groupMembers,
    group_subgroup: this.groupSubgroups,
    user_status: this.statuses,
    alert_words: this.alertWords,
    muted_user: this.mutedUsers,
    onboarding: this.onboarding,
    profile_field: this.profileFields,
    profile: this.profiles,
    linkifier: this.linkifiers,
    playground: this.playgrounds,
    allowed_domain: this.allowedDomains,
    bot_service: this.botServices,
    custom_emoji: this.customEmoji,
    push_device: this.pushDevices,
  }

  /** The state with rows of a change that is not committed yet. It must not outlive the change. */
  draft(clock = this.clock): RealmState {
    const { tables, firstMessages, newestMessages, presence } = this
    const draft = new RealmState(this.id, clock, { tables, firstMessages, newestMessages, presence })
    draft.position = this.position
    draft.stamp = this.stamp
    draft.epoch = this.epoch
    draft.changedAt = this.changedAt
    draft.lastMessageId = this.lastMessageId
    return draft
  }

  /** The row of the organization itself: its name, subdomain and settings. */
  get row(): RealmRow {
    return this.realms.require(this.id)
  }

  /** The channel of a recipient that is no direct conversation. */
  channelOf(recipientId: number): ChannelRow {
    const { channel_id } = this.recipients.require(recipientId)
    if (channel_id === null) throw new Error(`recipient ${recipientId} is not a channel`)
    return this.channels.require(channel_id)
  }

  subscription(userId: number, channelId: number) {
    return this.subscriptions.get(userId, channelId)
  }

  /** Carries this state forward by the next entry of the log. */
  fold(entry: Entry) {
    if (entry.id !== this.position + 1) throw new Error(`log entry ${entry.id} after ${this.position}`)
    this.position = entry.id
    this.stamp = entry.stamp
    if (entry.rows) this.changedAt = entry.id
    for (const image of entry.rows ?? []) this.put(image)
    if (entry.audience?.message) this.noteMessage(entry.audience.message)
    const seen = seenIn(entry.event)
    if (seen) this.presence.fold(entry.id, seen)
    for (const memory of this.messages) memory.fold(entry)
  }

  /**
   * Whether data that was read from the database at this moment of the log may be kept in memory. Later entries carry it forward, but if this
   * state has folded entries after that moment, their effect would be missing.
   */
  mayKeep({ position, epoch }: LogMoment): boolean {
    return epoch === this.epoch && position !== null && position >= this.position
  }

  /** Forgets the messages in memory, also those that are being read. */
  forgetMessages() {
    for (const memory of this.messages) memory.clear()
  }

  /** Forgets the messages in memory, and keeps no others: the state was replaced, or its log is not held in memory. */
  releaseMessages() {
    for (const memory of this.messages) memory.close()
  }

  /** Keeps messages again: requests use the log again before it has left memory. */
  holdMessages() {
    for (const memory of this.messages) memory.reopen()
  }

  private noteMessage({ id, recipient }: { id: number; recipient: number }) {
    this.lastMessageId = Math.max(this.lastMessageId, id)
    this.newestMessages.set(recipient, id)
    const channel = this.channels.get(this.recipients.get(recipient)?.channel_id ?? 0)
    if (!channel || this.firstMessages.has(recipient)) return
    this.firstMessages.set(recipient, id)
    // Caches that depend on a channel must be rebuilt.
    this.changedAt = this.position
    this.channels.put({ ...channel })
  }

  /** A row by its table and key, null if there is none. */
  rowIn(table: StateTable, key: number | string): object | null {
    return this.rowsOf(table).get(...keyValues(key)) ?? null
  }

  /** Applies the image of a row, or of the bounds of a conversation. */
  put(image: RowImage) {
    if (image[0] === 'bounds') return this.noteBounds(image[1], image[2])
    const [table, key, row] = image
    if (row) this.rowsOf(table).put(row)
    else this.rowsOf(table).delete(...keyValues(key))
  }

  /** Adds a row that was read from a table. Rows must come in the order of their keys. */
  append(table: StateTable, row: object) {
    this.rowsOf(table).append(row)
  }

  private rowsOf(table: StateTable): IndexedTable<object, number[]> {
    return this.tables[table] as unknown as IndexedTable<object, number[]>
  }

  private noteBounds(recipient: number, { oldest, newest }: Bounds) {
    if (newest === null) this.newestMessages.delete(recipient)
    else this.newestMessages.set(recipient, newest)
    const channel = this.channels.get(this.recipients.get(recipient)?.channel_id ?? 0)
    if (!channel) return
    if (oldest === null) this.firstMessages.delete(recipient)
    else this.firstMessages.set(recipient, oldest)
    this.channels.put({ ...channel })
  }
}
