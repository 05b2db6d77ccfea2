import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { cast } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

const vim = { text: 'Vim', order: '1' }
const emacs = { text: 'Emacs', order: '2' }

async function editors() {
  const people = await cast(await server.organization())
  const field = { name: 'Editor', field_type: 3, field_data: { vim, emacs } }
  const { id } = (await people.org.owner.post('/realm/profile_fields', field)).body
  const pick = (who: Person, value: string) => who.patch('/users/me/profile_data', { data: [{ id, value }] })
  return { ...people, id, pick }
}

test.each([
  ['a choice that was removed', { field_data: { emacs } }, "'vim' is not a valid choice for 'Editor'."],
  [
    'a value of a field that users may not change any more',
    { editable_by_user: false },
    'You are not allowed to change this field. Contact an administrator to update it.',
  ],
])('a user cannot set %s since they were checked', async (_, change, msg) => {
  const { org, admin, anna, id, pick } = await editors()
  const client = await anna.register()
  const held = await holdWrites(org.log)
  await held.add(() => admin.patch(`/realm/profile_fields/${id}`, change))
  const late = await held.add(() => pick(anna, 'vim'))
  await held.release()
  expect((await late.answer).body).toMatchObject({ result: 'error', msg })
  expect(org.state.profiles.get(anna.id)?.data ?? {}).toEqual({})
  await client.expectStateToMatch()
})

test('nor can an administrator for them, and the rest of the request is not done', async () => {
  const { org, admin, anna, id } = await editors()
  const held = await holdWrites(org.log)
  await held.add(() => admin.patch(`/realm/profile_fields/${id}`, { field_data: { emacs } }))
  const late = await held.add(() =>
    org.owner.patch(`/users/${anna.id}`, { full_name: 'Other', profile_data: [{ id, value: 'vim' }] }),
  )
  await held.release()
  expect((await late.answer).body).toMatchObject({ result: 'error' })
  expect(org.state.users.require(anna.id).full_name).toBe('Anna')
})

test('a user cannot remove a value that they may not change any more', async () => {
  const { org, admin, anna, id, pick } = await editors()
  await pick(anna, 'vim')
  const held = await holdWrites(org.log)
  await held.add(() => admin.patch(`/realm/profile_fields/${id}`, { editable_by_user: false }))
  const late = await held.add(() => anna.delete('/users/me/profile_data', { data: [id] }))
  await held.release()
  expect((await late.answer).body).toMatchObject({ result: 'error' })
  expect(org.state.profiles.get(anna.id)?.data).toMatchObject({ [id]: { value: 'vim' } })
})
