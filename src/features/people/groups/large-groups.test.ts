import { expect, test } from 'vitest'
import { applySubscription } from '../../channels/kernel/subscriptions/subscription.apply.ts'
import { applyUserGroup } from './user_group.apply.ts'

// What events about very many users do to a client's state. To compare each user with each took minutes.

/** Seconds of the processor for what takes a hundredth of that. */
const most = 5

const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
const [first, second] = [ids(1, 200_000), ids(200_001, 200_000)]

function secondsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

test('a client takes in quickly that very many users join a group, and leave it', () => {
  const group = { id: 1, members: first, direct_subgroup_ids: [] }
  const state = { realm_user_groups: [group] }
  const change = (op: 'add_members' | 'remove_members', user_ids: number[]) =>
    secondsOf(() => applyUserGroup(state, { op, group_id: 1, user_ids }))
  expect(change('add_members', second)).toBeLessThan(most)
  expect(group.members).toEqual([...first, ...second])
  expect(change('remove_members', first)).toBeLessThan(most)
  expect(group.members).toEqual(second)
})

test('so does it with subscribers of a channel', () => {
  const channel = { stream_id: 1, subscribers: first, subscriber_count: first.length }
  const state = { subscriptions: [channel], unsubscribed: [], never_subscribed: [] }
  const change = (op: 'peer_add' | 'peer_remove', user_ids: number[]) =>
    secondsOf(() => applySubscription(state, { op, stream_ids: [1], user_ids }))
  expect(change('peer_add', second)).toBeLessThan(most)
  expect(channel.subscribers).toHaveLength(400_000)
  expect(change('peer_remove', first)).toBeLessThan(most)
  expect(channel.subscribers).toEqual(second)
})
