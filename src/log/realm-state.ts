import type { Selectable } from 'kysely'
import type {
  AccountRow,
  ApiKeyRow,
  ChannelRow,
  Database,
  GroupMemberRow,
  GroupSubgroupRow,
  RealmRow,
  RecipientRow,
  SubscriptionRow,
  UserGroupRow,
} from '../db/schema.ts'
import { IndexedTable } from '../lib/indexed-table.ts'
import type { Entry, RowImage } from './entry.ts'
import { type StateTable, stateKey } from './state-tables.ts'

type Tables = { [T in StateTable]: IndexedTable<Selectable<Database[T]>> }

/**
 * An organization in memory: plain tables of rows, true to the log at `position`. Only `fold` changes it, and does so
 * in one synchronous step, so whoever reads without waiting in between reads one moment.
 */
export class RealmState {
  readonly id: number

  /** The number of the last log entry that is folded in. */
  position = 0

  /** The number of the last entry that changed a row: between it and `position`, this state stood still. */
  changedAt = 0

  /** The newest message that this node knows of. */
  lastMessageId = 0

  /** The oldest message of each channel that has any, by recipient: derived, and the same on every node. */
  readonly firstMessages = new Map<number, number>()

  /** The newest message of each recipient that has any. */
  readonly newestMessages = new Map<number, number>()

  readonly realms = new IndexedTable<RealmRow>((row) => row.id)
  readonly users = new IndexedTable<AccountRow>((row) => row.id)
  readonly userByEmail = this.users.uniqueIndex((user) => user.delivery_email.toLowerCase())
  readonly usersByFullName = this.users.index((user) => user.full_name.toLowerCase())
  readonly apiKeys = new IndexedTable<ApiKeyRow>((row) => row.id)
  readonly apiKeyByHash = this.apiKeys.uniqueIndex((key) => key.hash)
  readonly apiKeysOfUser = this.apiKeys.index((key) => key.user_id)
  readonly recipients = new IndexedTable<RecipientRow>((row) => row.id)
  readonly conversationByUsers = this.recipients.uniqueIndex((row) => row.user_ids?.join() ?? null)
  readonly conversationsOfUser = this.recipients.index((row) => row.user_ids)
  readonly channels = new IndexedTable<ChannelRow>((row) => row.id)
  readonly channelByName = this.channels.uniqueIndex((channel) => channel.name.toLowerCase())
  readonly subscriptions = new IndexedTable<SubscriptionRow>((row) => stateKey('subscription', row))
  readonly subscriptionsOfUser = this.subscriptions.index((row) => row.user_id)
  readonly subscriptionsOfChannel = this.subscriptions.index((row) => row.channel_id)
  readonly groups = new IndexedTable<UserGroupRow>((row) => row.id)
  readonly groupByName = this.groups.uniqueIndex((group) => group.name.toLowerCase())
  readonly groupMembers = new IndexedTable<GroupMemberRow>((row) => stateKey('group_member', row))
  readonly membersOfGroup = this.groupMembers.index((row) => row.group_id)
  readonly groupsOfUser = this.groupMembers.index((row) => row.user_id)
  readonly groupSubgroups = new IndexedTable<GroupSubgroupRow>((row) => stateKey('group_subgroup', row))
  readonly subgroupsOfGroup = this.groupSubgroups.index((row) => row.group_id)

  private readonly tables: Tables = {
    realm: this.realms,
    account: this.users,
    api_key: this.apiKeys,
    recipient: this.recipients,
    channel: this.channels,
    subscription: this.subscriptions,
    user_group: this.groups,
    group_member: this.groupMembers,
    group_subgroup: this.groupSubgroups,
  }

  constructor(id: number) {
    this.id = id
  }

  get realm(): RealmRow {
    const row = this.realms.get(this.id)
    if (!row) throw new Error(`realm ${this.id} is not loaded`)
    return row
  }

  subscription(userId: number, channelId: number) {
    return this.subscriptions.get(`${userId}:${channelId}`)
  }

  /** Carries this state forward by the next entry of the log. */
  fold(entry: Entry) {
    if (entry.id !== this.position + 1) throw new Error(`log entry ${entry.id} after ${this.position}`)
    this.position = entry.id
    if (entry.rows) this.changedAt = entry.id
    for (const image of entry.rows ?? []) this.put(image)
    if (entry.audience?.message) this.noteMessage(entry.audience.message)
  }

  private noteMessage({ id, recipient }: { id: number; recipient: number }) {
    this.lastMessageId = Math.max(this.lastMessageId, id)
    this.newestMessages.set(recipient, id)
    const channel = this.channels.get(this.recipients.get(recipient)?.channel_id ?? 0)
    if (!channel || this.firstMessages.has(recipient)) return
    this.firstMessages.set(recipient, id)
    // Whoever keeps what it has made of a channel must make it again.
    this.changedAt = this.position
    this.channels.put({ ...channel })
  }

  put([table, key, row]: RowImage) {
    const rows = this.tables[table] as IndexedTable<object>
    if (row) rows.put(row)
    else rows.delete(key)
  }
}
