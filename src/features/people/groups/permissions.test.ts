import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NaivePermissions } from '../../../../test/random/naive-permissions.ts'
import {
  organizationFacts,
  organizationOf,
  type RandomOrganization,
} from '../../../../test/random/random-organization.ts'
import { tries } from '../../../../test/runner/effort.ts'
import type { AccountRow, ChannelRow, MessageRow, UserGroupRow } from '../../../db/schema.ts'
import { maySubscribe, maySubscribeOthers, mayUnsubscribe } from '../../channels/subscriptions/access.ts'
import {
  channelToAdminister,
  channelToPostIn,
  channelToRead,
  channelToSee,
  hasContentAccess,
  hasMetadataAccess,
  isChannelAdministrator,
} from '../../kernel/channels/access.ts'
import { isOpenToSpectators } from '../../kernel/channels/web-public.ts'
import { hasRealmPermission } from '../../kernel/groups/access.ts'
import { type RealmPermission, realmPermissions } from '../../kernel/groups/permission-settings.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import {
  checkMayDelete,
  checkMayMoveOut,
  checkMayRename,
  checkMayResolve,
} from '../../messages/kernel/editing/access.ts'
import { groupToJoin, groupToLeave, groupToManage } from './group-access.ts'
import { checkMayMentionGroups } from './mention-permission.ts'

/** Permissions are compared in as many random organizations as fit into this time. */
const milliseconds = tries(8_000)

test('in any organization, the server permits exactly what the definitions permit', () => {
  const compare = (organization: RandomOrganization) => {
    const naive = new NaivePermissions(organization)
    for (const user of organization.people.filter(({ is_active }) => is_active)) {
      compareRealm(organization, naive, user)
      for (const channel of organization.channels) compareChannel(organization, naive, user, channel)
      for (const group of organization.groups) compareGroup(organization, naive, user, group)
    }
    for (const channel of organization.channels) compareOpenness(organization, channel)
  }
  const bounds = { numRuns: 100_000, interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false }
  fc.assert(
    fc.property(organizationFacts, (facts) => compare(organizationOf(facts))),
    bounds,
  )
})

test('deactivated users hold no permission', () => {
  const check = ({ realm, people }: RandomOrganization) => {
    for (const user of people.filter(({ is_active }) => !is_active)) {
      for (const name of names) expect(hasRealmPermission(realm, user, name)).toBe(false)
    }
  }
  fc.assert(
    fc.property(organizationFacts, (facts) => check(organizationOf(facts))),
    { numRuns: 100 },
  )
})

const names = Object.keys(realmPermissions) as RealmPermission[]

function compareRealm({ realm }: RandomOrganization, naive: NaivePermissions, user: AccountRow) {
  for (const name of names)
    expect([name, hasRealmPermission(realm, user, name)]).toEqual([name, naive.inRealm(user, name)])
}

function compareChannel(
  { realm }: RandomOrganization,
  naive: NaivePermissions,
  user: AccountRow,
  channel: ChannelRow,
) {
  const message = { id: 7, recipient_id: channel.recipient_id, sender_id: 0, sent_at: 0 } as MessageRow
  const own = { ...message, sender_id: user.id }
  const other = { ...user, id: -1, bot_owner_id: null }
  const [metadata, content] = [naive.metadata(user, channel), naive.content(user, channel)]
  const received = naive.isSubscribed(user, channel)
  const isThere = !channel.is_archived
  const server = {
    metadata: hasMetadataAccess(realm, user, channel),
    content: hasContentAccess(realm, user, channel),
    see: permits(() => channelToSee(realm, user, channel.id)),
    read: permits(() => channelToRead(realm, user, channel.id)),
    readMessage: mayRead(realm, user, message),
    administer: isChannelAdministrator(realm, user, channel),
    change: permits(() => channelToAdminister(realm, user, channel.id)),
    post: permits(() => channelToPostIn(realm, user, channel.id)),
    subscribe: maySubscribe(realm, user, channel),
    addSubscribers: maySubscribeOthers(realm, user, channel),
    removeSubscribers: mayUnsubscribe(realm, user, channel, other),
    moveOut: permits(() => checkMayMoveOut(realm, user, message, channel, 0)),
    moveWithin: permits(() => checkMayRename(realm, user, message, [channel], 0)),
    resolve: permits(() => checkMayResolve(realm, user, [channel])),
    deleteAny: permits(() => checkMayDelete(realm, user, message, 0)),
    deleteOwn: permits(() => checkMayDelete(realm, user, own, 0)),
  }
  expect(server).toEqual({
    metadata,
    content,
    see: isThere && metadata,
    read: isThere && content,
    readMessage: content && (channel.history_public_to_subscribers || received),
    administer: naive.administersChannel(user, channel),
    change: naive.mayChange(user, channel),
    post: naive.post(user, channel),
    subscribe: naive.subscribe(user, channel),
    addSubscribers: naive.addSubscribers(user, channel),
    removeSubscribers: naive.removeSubscribers(user, channel),
    moveOut: naive.moveOut(user, channel),
    moveWithin: naive.moveWithin(user, channel),
    resolve: naive.resolve(user, channel),
    deleteAny: naive.deleteMessage(user, channel, false),
    deleteOwn: naive.deleteMessage(user, channel, true),
  })
}

function compareGroup(
  { realm }: RandomOrganization,
  naive: NaivePermissions,
  user: AccountRow,
  group: UserGroupRow,
) {
  const stranger = user.id + 1000
  const server = {
    manage: permits(() => groupToManage(realm, user, group.id)),
    add: permits(() => groupToJoin(realm, user, group.id, [stranger])),
    join: permits(() => groupToJoin(realm, user, group.id, [user.id])),
    remove: permits(() => groupToLeave(realm, user, group.id, [stranger])),
    leave: permits(() => groupToLeave(realm, user, group.id, [user.id])),
    mention: group.is_system_group || permits(() => checkMayMentionGroups(realm, user, [group.id])),
  }
  expect(server).toEqual({
    manage: naive.manageGroup(user, group),
    add: naive.inManagedGroup(user, group, 'can_add_members_group'),
    join: naive.inManagedGroup(user, group, 'can_add_members_group', 'can_join_group'),
    remove: naive.inManagedGroup(user, group, 'can_remove_members_group'),
    leave: naive.inManagedGroup(user, group, 'can_remove_members_group', 'can_leave_group'),
    mention: group.is_system_group || naive.inGroup(user, group, 'can_mention_group'),
  })
}

function compareOpenness({ realm }: RandomOrganization, channel: ChannelRow) {
  const isOpen = channel.is_web_public && !channel.is_archived && realm.row.settings.enable_spectator_access
  expect(isOpenToSpectators(realm, channel)).toBe(isOpen)
}

function permits(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
