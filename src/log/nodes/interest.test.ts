import { expect, test } from 'vitest'
import { logLimits } from '../limits.ts'
import { Followed, Interest } from './interest.ts'

/** Returns the calls of a node with this number when it follows an organization. */
function callsOf(node: number, realmId: number): string[] {
  const followed = new Followed(false)
  followed.add(realmId)
  return followed.calls(node.toString(16).padStart(8, '0'), false)
}

test('a node tells the others of what they follow, and of everything if they are too many to remember', () => {
  const interest = new Interest()
  const hear = (node: number, realmId: number) => {
    for (const call of callsOf(node, realmId)) interest.readAnnouncement(call, 'the node')
  }
  for (let node = 0; node < logLimits.nodesFollowing; node++) hear(node, 1)
  expect([interest.wants(1), interest.wants(2)]).toEqual([true, false])
  hear(logLimits.nodesFollowing, 3)
  expect([interest.wants(1), interest.wants(2), interest.wants(3)]).toEqual([true, true, true])
})
