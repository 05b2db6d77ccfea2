import type { AccountRow, ChannelRow, SubscriptionRow } from '../../../../db/schema.ts'
import type { GroupSetting } from '../../../../db/values.ts'
import { namesIn, recordOf } from '../../../../lib/collections/records.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { systemGroupId } from '../../../kernel/groups/access.ts'
import { channelPermissions, type SystemGroup } from '../../../kernel/groups/permission-settings.ts'
import { groupSettingView } from '../../../kernel/groups/setting-view.ts'
import { userSettings } from '../../../kernel/users/settings.ts'
import { type IncludeSubscribers, includedSubscribers } from '../subscriptions/included-subscribers.ts'
import { subscribersOf } from '../subscriptions/subscribers.ts'

export type ChannelView = ReturnType<typeof channelView>
export type PersonalView = ReturnType<typeof personalView>
export type SubscriptionView = ChannelView &
  PersonalView & { subscribers?: readonly number[]; partial_subscribers?: readonly number[] }

/** Returns a channel with the fields that are the same for all users who may see it. */
export function channelView(realm: RealmState, channel: ChannelRow) {
  const postPolicy = legacyPostPolicy(realm, channel.permissions.can_send_message_group)
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.rendered_description,
    date_created: channel.created_at,
    creator_id: channel.creator_id,
    folder_id: channel.folder_id, // level 389
    first_message_id: realm.firstMessages.get(channel.recipient_id) ?? null,
    is_archived: channel.is_archived,
    is_recently_active: channel.is_recently_active, // level 323
    invite_only: channel.is_private,
    is_web_public: channel.is_web_public,
    history_public_to_subscribers: channel.history_public_to_subscribers,
    message_retention_days: channel.message_retention_days,
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === 2, // Older still; like stream_post_policy, it is derived and cannot be set.
    stream_weekly_traffic: channel.weekly_traffic,
    subscriber_count: subscribersOf(realm, channel.id).length, // level 394
    topics_policy: channel.topics_policy, // level 392
    ...permissionsView(realm, channel),
  }
}

function permissionsView(realm: RealmState, channel: ChannelRow) {
  return recordOf(namesIn(channelPermissions), (name) =>
    groupSettingView(realm, channel.permissions[name] ?? systemGroupId(realm, 'role:nobody')),
  )
}

// Clients older than can_send_message_group (level 333) know four groups of posters.
const legacyPostPolicies: Partial<Record<SystemGroup, number>> = {
  'role:everyone': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
}

/** Returns `stream_post_policy` for a value of can_send_message_group. */
export function legacyPostPolicy(realm: RealmState, value: GroupSetting | undefined): number {
  const group = typeof value === 'number' ? realm.groups.get(value) : undefined
  return legacyPostPolicies[group?.name as SystemGroup] ?? 1
}

/** Returns the personal fields of a subscription. */
export function personalView(
  subscription: Omit<SubscriptionRow, 'realm_id' | 'user_id' | 'channel_id' | 'received'>,
) {
  return {
    color: subscription.color,
    is_muted: subscription.is_muted,
    in_home_view: !subscription.is_muted,
    pin_to_top: subscription.pin_to_top,
    desktop_notifications: subscription.desktop_notifications,
    audible_notifications: subscription.audible_notifications,
    push_notifications: subscription.push_notifications,
    email_notifications: subscription.email_notifications,
    wildcard_mentions_notify: subscription.wildcard_mentions_notify,
  }
}

/** Returns a channel as its subscriber sees it. */
export function subscriptionView(
  realm: RealmState,
  subscription: SubscriptionRow,
  { includeSubscribers }: { includeSubscribers: IncludeSubscribers },
): SubscriptionView {
  const channel = realm.channels.require(subscription.channel_id)
  const included = includeSubscribers && includedSubscribers(realm, channel.id, includeSubscribers)
  return {
    ...channelView(realm, channel),
    ...personalView(subscription),
    ...(included && { [included.name]: included.ids }),
  }
}

/** Returns the value that null stands for, for clients that do not know null. */
export function legacyNotifications(me: AccountRow, subscription: SubscriptionRow) {
  const settings = userSettings(me)
  return {
    desktop_notifications: subscription.desktop_notifications ?? settings.enable_stream_desktop_notifications,
    audible_notifications: subscription.audible_notifications ?? settings.enable_stream_audible_notifications,
    push_notifications: subscription.push_notifications ?? settings.enable_stream_push_notifications,
    email_notifications: subscription.email_notifications ?? settings.enable_stream_email_notifications,
  }
}

/** Returns all channels, sorted by name in the order that users expect. */
export function channelsByName(realm: RealmState): ChannelRow[] {
  return [...realm.channels.values()].sort((a, b) => compareNames(a.name, b.name))
}

function compareNames(a: string, b: string) {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()]
  return x < y ? -1 : x > y ? 1 : 0
}
