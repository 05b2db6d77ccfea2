import { expect, test } from 'vitest'
import { isWithin, waysInto } from '../../../web/lib/group-graph.ts'

/** 1 has 2 and 3, both have 4; 5 is within itself by 6. User 10 is in 4, user 11 in 1 and in 3. */
const groups = new Map(
  (
    [
      [1, [2, 3], [11]],
      [2, [4], []],
      [3, [4], [11]],
      [4, [], [10]],
      [5, [6], []],
      [6, [5], [12]],
    ] as const
  ).map(([id, direct_subgroup_ids, members]) => [id, { id, direct_subgroup_ids, members }]),
)

test.each([
  [
    1,
    10,
    [
      [2, 4],
      [3, 4],
    ],
  ],
  [1, 11, [[], [3]]],
  [4, 10, [[]]],
  [4, 11, []],
  [5, 12, [[6]]],
  [99, 10, []],
])('the ways by which a user is in a group: %d, %d', (group, user, ways) => {
  expect(waysInto(groups, group, user)).toEqual(ways)
})

test.each([
  [4, 1, true],
  [1, 4, false],
  [1, 1, true],
  [5, 5, true],
  [99, 1, false],
])('whether a group is within another: %d in %d', (inner, outer, is) => {
  expect(isWithin(groups, inner, outer)).toBe(is)
})
