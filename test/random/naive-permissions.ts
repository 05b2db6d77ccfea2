import type { AccountRow, ChannelRow, UserGroupRow } from '../../src/db/schema.ts'
import type { GroupSetting } from '../../src/db/values.ts'
import type { RandomOrganization } from './random-organization.ts'

type User = AccountRow

/** Settings that guests may hold, at every level: those that may be role:everyone. Written from the API's description. */
const forGuestsToo = new Set([
  'can_access_all_users_group',
  'can_delete_own_message_group',
  'can_mention_many_users_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
  'can_set_topics_policy_group',
  'can_summarize_topics_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
  'can_remove_subscribers_group',
  'can_send_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_leave_group',
  'can_mention_group',
])

/**
 * Permissions as the API's description defines them, literally and without regard for speed: groups are expanded to
 * sets of people first. The server's results are compared with this.
 */
export class NaivePermissions {
  private readonly organization: RandomOrganization

  constructor(organization: RandomOrganization) {
    this.organization = organization
  }

  inRealm(user: User, name: string) {
    const settings = this.organization.realm.row.settings as Record<string, GroupSetting>
    return this.holds(user, settings[name]!, forGuestsToo.has(name))
  }

  inChannel(user: User, channel: ChannelRow, name: string) {
    // At the level of channels, deleting any message may be given to everyone.
    const guests = forGuestsToo.has(name) || name === 'can_delete_any_message_group'
    return this.holds(user, channel.permissions[name]!, guests)
  }

  inGroup(user: User, group: UserGroupRow, name: string) {
    return this.holds(user, group.permissions[name]!, forGuestsToo.has(name))
  }

  isSubscribed(user: User, channel: ChannelRow) {
    return this.organization.subscribers.get(channel.id)!.includes(user.id)
  }

  metadata(user: User, channel: ChannelRow) {
    const granting = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group']
    return (
      this.isOpenTo(user, channel) ||
      this.isSubscribed(user, channel) ||
      user.role <= 200 ||
      granting.some((name) => this.inChannel(user, channel, name))
    )
  }

  content(user: User, channel: ChannelRow) {
    const granting = ['can_add_subscribers_group', 'can_subscribe_group']
    return (
      this.isOpenTo(user, channel) ||
      this.isSubscribed(user, channel) ||
      granting.some((name) => this.inChannel(user, channel, name))
    )
  }

  administersChannel(user: User, channel: ChannelRow) {
    return user.role <= 200 || this.inChannel(user, channel, 'can_administer_channel_group')
  }

  mayChange(user: User, channel: ChannelRow) {
    return this.metadata(user, channel) && this.administersChannel(user, channel)
  }

  post(user: User, channel: ChannelRow) {
    if (channel.is_archived || !this.content(user, channel)) return false
    return this.inChannel(user, channel, 'can_send_message_group')
  }

  subscribe(user: User, channel: ChannelRow) {
    return this.isSubscribed(user, channel) || (!channel.is_archived && this.content(user, channel))
  }

  addSubscribers(user: User, channel: ChannelRow) {
    if (channel.is_archived || !this.content(user, channel)) return false
    return (
      this.administersChannel(user, channel) ||
      this.inRealm(user, 'can_add_subscribers_group') ||
      this.inChannel(user, channel, 'can_add_subscribers_group')
    )
  }

  removeSubscribers(user: User, channel: ChannelRow) {
    if (!this.metadata(user, channel)) return false
    return (
      this.administersChannel(user, channel) || this.inChannel(user, channel, 'can_remove_subscribers_group')
    )
  }

  moveOut(user: User, channel: ChannelRow) {
    return (
      this.administersChannel(user, channel) ||
      this.inRealm(user, 'can_move_messages_between_channels_group') ||
      this.inChannel(user, channel, 'can_move_messages_out_of_channel_group')
    )
  }

  moveWithin(user: User, channel: ChannelRow) {
    return (
      this.administersChannel(user, channel) ||
      this.inRealm(user, 'can_move_messages_between_topics_group') ||
      this.inChannel(user, channel, 'can_move_messages_within_channel_group')
    )
  }

  resolve(user: User, channel: ChannelRow) {
    return (
      this.inRealm(user, 'can_resolve_topics_group') ||
      this.holds(user, channel.permissions.can_resolve_topics_group!, true)
    )
  }

  /** Returns which readable messages the user may delete: all, or only their own. */
  deleteMessage(user: User, channel: ChannelRow, isOwn: boolean) {
    const any =
      this.inRealm(user, 'can_delete_any_message_group') ||
      (this.inChannel(user, channel, 'can_delete_any_message_group') && this.content(user, channel))
    const own =
      this.inRealm(user, 'can_delete_own_message_group') ||
      this.inChannel(user, channel, 'can_delete_own_message_group')
    return !channel.is_archived && (any || (isOwn && own))
  }

  manageGroup(user: User, group: UserGroupRow) {
    if (group.is_system_group) return false
    return this.inGroup(user, group, 'can_manage_group') || this.inRealm(user, 'can_manage_all_groups')
  }

  /** Whether the user has one of the permissions of a group. Users who manage it have all of them. */
  inManagedGroup(user: User, group: UserGroupRow, ...names: string[]) {
    if (group.is_system_group) return false
    return this.manageGroup(user, group) || names.some((name) => this.inGroup(user, group, name))
  }

  private isOpenTo(user: User, channel: ChannelRow) {
    return channel.is_web_public || (!channel.is_private && user.role !== 600)
  }

  private holds(user: User, value: GroupSetting, guests: boolean) {
    if (!user.is_active || (user.role === 600 && !guests)) return false
    if (typeof value === 'number') return this.everybodyIn(value).has(user.id)
    if (value.direct_members.includes(user.id)) return true
    return value.direct_subgroups.some((id) => this.everybodyIn(id).has(user.id))
  }

  private everybodyIn(groupId: number): Set<number> {
    const { groups, people, members, subgroups } = this.organization
    const group = groups.find(({ id }) => id === groupId)!
    if (group.is_system_group) {
      return new Set(people.filter((user) => this.hasRole(user, group.name)).map(({ id }) => id))
    }
    const inside = subgroups.get(groupId)!.flatMap((id) => [...this.everybodyIn(id)])
    return new Set([...members.get(groupId)!, ...inside])
  }

  private hasRole({ role, created_at }: User, group: string) {
    const days = (Date.now() / 1000 - created_at) / 86_400
    const byGroup: Record<string, boolean> = {
      'role:nobody': false,
      'role:owners': role === 100,
      'role:administrators': role <= 200,
      'role:moderators': role <= 300,
      'role:fullmembers': role <= 300 || (role === 400 && days >= this.organization.waitingDays),
      'role:members': role <= 400,
      'role:everyone': true,
      'role:internet': true,
    }
    return byGroup[group]!
  }
}
