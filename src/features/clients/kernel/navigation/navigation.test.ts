import { expect, test } from 'vitest'
import type { Person } from '../../../../../test/person.ts'
import { sharedServer } from '../../../../../test/test-server.ts'
import { navigationLimits } from './limits.ts'

const { organization } = sharedServer()

function add(who: Person, fragment: string, more: object = {}) {
  return who.post('/navigation_views', { fragment, is_pinned: true, ...more })
}

test('views are added, changed and removed, and the user’s other clients are notified', async () => {
  const { owner, person } = await organization().then((org) => ({
    owner: org.owner,
    person: () => org.person(),
  }))
  const anna = await person()
  const [mine, hers] = [await owner.register(), await anna.register()]
  const custom = { fragment: 'narrow/channel/7-x/topic/a.20b', is_pinned: true, name: 'Work' }
  const starred = { fragment: 'narrow/is/starred', is_pinned: false, name: null }
  expect((await add(owner, ` ${custom.fragment} `, { name: ' Work ' })).body).toEqual({
    result: 'success',
    msg: '',
  })
  await add(owner, starred.fragment, { is_pinned: false })
  expect(await mine.events()).toMatchObject([
    { type: 'navigation_view', op: 'add', navigation_view: custom },
    { type: 'navigation_view', op: 'add', navigation_view: starred },
  ])
  await mine.expectStateToMatch()
  await owner.patch(`/navigation_views/${custom.fragment}`, { name: 'Play', is_pinned: false })
  await owner.patch(`/navigation_views/${encodeURIComponent(starred.fragment)}`, { is_pinned: true })
  expect(await mine.events()).toMatchObject([
    { op: 'update', fragment: custom.fragment, data: { name: 'Play', is_pinned: false } },
    { op: 'update', fragment: starred.fragment, data: { is_pinned: true } },
  ])
  await mine.expectStateToMatch()
  expect((await owner.get('/navigation_views')).body.navigation_views).toEqual([
    { ...custom, name: 'Play', is_pinned: false },
    { ...starred, is_pinned: true },
  ])
  await owner.delete(`/navigation_views/${custom.fragment}`)
  expect(await mine.events()).toMatchObject([{ op: 'remove', fragment: custom.fragment }])
  await mine.expectStateToMatch()
  expect(await hers.events()).toEqual([])
  expect((await anna.get('/navigation_views')).body.navigation_views).toEqual([])
})

test.each([
  [{ fragment: 'inbox', name: 'Mine' }, 'Built-in views cannot have a custom name.'],
  [{ fragment: 'narrow/near/1' }, 'Custom views must have a valid name.'],
  [{ fragment: 'narrow/near/1', name: ' ' }, 'Custom views must have a valid name.'],
  [{ fragment: ' ' }, 'fragment cannot be blank'],
  [{ fragment: undefined }, "Missing 'fragment' argument"],
  [{ is_pinned: undefined }, "Missing 'is_pinned' argument"],
  [{ is_pinned: 1 }, 'is_pinned is not a boolean'],
  [{ fragment: 'drafts' }, 'Navigation view already exists.'],
  [{ fragment: 'narrow/near/2', name: 'Taken' }, 'Navigation view already exists.'],
])('%j is refused', async (wrong, msg) => {
  const { owner } = await organization()
  await add(owner, 'drafts')
  await add(owner, 'narrow/near/3', { name: 'Taken' })
  const answer = await owner.post('/navigation_views', { fragment: 'recent', is_pinned: true, ...wrong })
  expect(answer).toMatchObject({ status: 400, body: { msg } })
})

test('unknown views, and those of other users, are neither changed nor removed', async () => {
  const org = await organization()
  const anna = await org.person()
  await add(org.owner, 'narrow/near/1', { name: 'Mine' })
  await add(org.owner, 'narrow/near/2', { name: 'Other' })
  const missing = { status: 404, body: { code: 'BAD_REQUEST', msg: 'Navigation view does not exist.' } }
  expect(await anna.patch('/navigation_views/narrow/near/1', { is_pinned: false })).toMatchObject(missing)
  expect(await anna.delete('/navigation_views/narrow/near/1')).toMatchObject(missing)
  const rename = async (name: string) =>
    (await org.owner.patch('/navigation_views/narrow/near/1', { name })).body.msg
  expect(await rename('Other')).toBe('Navigation view already exists.')
  expect(await rename('')).toBe('Custom views must have a valid name.')
  expect(await rename('Mine')).toBe('')
})

test('the number of views is limited', async () => {
  const org = await organization()
  const views = Array.from({ length: navigationLimits.navigationViewsPerUser }, (_, i) => ({
    user_id: org.owner.id,
    fragment: `narrow/near/${i}`,
    is_pinned: true,
    name: `View ${i}`,
  }))
  await org.log.commit((change) => change.insertAll('navigation_view', views))
  expect((await add(org.owner, 'inbox')).body.msg).toBe('Too many navigation views.')
})
