import { expect, test } from 'vitest'
import { differences } from './random/compare.ts'

test.each([
  ['the same', { a: [1, 2] }, { a: [1, 2] }],
  [
    'the same people in another order',
    { p: [{ user_id: 1 }, { user_id: 2 }] },
    { p: [{ user_id: 2 }, { user_id: 1 }] },
  ],
  [
    'the same ids in another order, deep inside',
    { s: [{ id: 1, m: [2, 1] }] },
    { s: [{ id: 1, m: [1, 2] }] },
  ],
  ['another queue', { queue_id: 'a', last_event_id: 1 }, { queue_id: 'b', last_event_id: 9 }],
  ['nothing in place of an absent field', { a: { b: undefined } }, { a: {} }],
])('states are alike with %s', (_, carried, fresh) => {
  expect(differences(carried, fresh)).toEqual([])
})

test.each([
  [{ a: 1 }, { a: 2 }, 'a: 1 by the events, 2 by the new registration'],
  [{ a: 1 }, {}, 'a: 1 by the events, nothing by the new registration'],
  [{}, { a: null }, 'a: nothing by the events, null by the new registration'],
  [
    { p: [{ user_id: 1, name: 'Ann' }] },
    { p: [{ user_id: 1, name: 'Anna' }] },
    'p.(user_id 1).name: "Ann" by the events, "Anna" by the new registration',
  ],
  [{ p: [] }, { p: [{ id: 7 }] }, 'p.(id 7): nothing by the events, {"id":7} by the new registration'],
  [{ p: [1, 2] }, { p: [1] }, 'p: [1,2] by the events, [1] by the new registration'],
  [
    { realm_linkifiers: [{ id: 1 }, { id: 2 }] },
    { realm_linkifiers: [{ id: 2 }, { id: 1 }] },
    'realm_linkifiers: [{"id":1},{"id":2}] by the events, [{"id":2},{"id":1}] by the new registration',
  ],
  [
    { p: [{ name: 'a' }, { name: 'a', n: 1 }] },
    { p: [{ name: 'a' }] },
    'p.{"name":"a","n":1}: {"name":"a","n":1} by the events, nothing by the new registration',
  ],
])('%j is not %j', (carried, fresh, line) => {
  expect(differences(carried, fresh)).toEqual([line])
})
