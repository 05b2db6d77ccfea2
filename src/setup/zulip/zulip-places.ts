import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { openConversation } from '../../features/messages/kernel/messages/recipients.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import type { Change } from '../../log/change.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'

/** The destination of messages. `userIds`: the sorted participants of a conversation; null for a channel. */
export type ZulipPlace = {
  recipientId: number
  channel: ChannelRow | undefined
  userIds: readonly number[] | null
}

type Recipient = { type: number; type_id: number }

const recipientTypes = { person: 1, channel: 2, group: 3 }

/** Finds the channel or conversation for each recipient of an export. */
export class ZulipPlaces {
  private readonly change: Change
  private readonly people: ZulipPeople
  private readonly recipients: ReadonlyMap<number, Recipient>
  private readonly groups: ReadonlyMap<number, { user_profile: number }[]>

  constructor(change: Change, source: ZulipExport, people: ZulipPeople) {
    this.change = change
    this.people = people
    const systemBots = source.rows('zerver_userprofile_crossrealm').flatMap(({ id, recipient_id }) => {
      return recipient_id === null
        ? []
        : [[recipient_id, { type: recipientTypes.person, type_id: id }] as const]
    })
    // The table does not have those of people who only have a name in old messages.
    const ofPeople = [...people.users.values()].flatMap(({ id, recipient }) => {
      return recipient === null ? [] : [[recipient, { type: recipientTypes.person, type_id: id }] as const]
    })
    const recipients = new Map<number, Recipient>([
      ...systemBots,
      ...ofPeople,
      ...source.byId('zerver_recipient'),
    ])
    this.recipients = recipients
    const ofGroups = source
      .rows('zerver_subscription')
      .filter(({ recipient }) => recipients.get(recipient)?.type === recipientTypes.group)
    this.groups = groupBy(ofGroups, ({ recipient }) => recipient)
  }

  /** Returns the channel that a recipient of the export is. */
  channel(recipient: number): ChannelRow | undefined {
    const { type, type_id = 0 } = this.recipients.get(recipient) ?? {}
    return type === recipientTypes.channel ? this.change.state.channels.get(type_id) : undefined
  }

  /** Returns where a message to a recipient goes: undefined if the export does not say. Opens a conversation if it has to. */
  async of(recipient: number, sender: AccountRow): Promise<ZulipPlace | undefined> {
    const channel = this.channel(recipient)
    if (channel) return { recipientId: channel.recipient_id, channel, userIds: null }
    const userIds = this.participants(recipient, sender)
    if (!userIds) return undefined
    const { id } = await openConversation(this.change, userIds)
    return { recipientId: id, channel: undefined, userIds }
  }

  /** Returns the participants of a conversation, with the sender, sorted. */
  participants(recipient: number, sender: AccountRow): number[] | undefined {
    const { type, type_id = 0 } = this.recipients.get(recipient) ?? {}
    const others = type === recipientTypes.person ? [type_id] : this.members(recipient)
    const users = others.map((id) => this.people.get(id))
    if (users.length === 0 || users.includes(undefined)) return undefined
    const ids = new Set([sender.id, ...users.flatMap((user) => user?.id ?? [])])
    return [...ids].sort((a, b) => a - b)
  }

  private members(recipient: number): number[] {
    return (this.groups.get(recipient) ?? []).map(({ user_profile }) => user_profile)
  }
}
