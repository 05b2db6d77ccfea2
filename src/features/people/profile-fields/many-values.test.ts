import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { direct } from '../../../../test/messages.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { profileFieldLimits } from '../kernel/profile-fields/limits.ts'

const { organization } = sharedServer()

const choices = { vim: { text: 'Vim', order: '1' }, emacs: { text: 'Emacs', order: '2' } }

/** An organization in which very many users have chosen the same. */
async function choosers() {
  const { org, anna, guest } = await cast(await organization())
  const field = { name: 'Editor', field_type: 3, field_data: choices }
  const { id } = (await org.owner.post('/realm/profile_fields', field)).body
  const ids = await org.crowd(3 * profileFieldLimits.valuesPerStep)
  const rows = ids.map((user_id) => ({ user_id, data: { [id]: { value: 'vim' } } }))
  await org.log.commit((change) => change.insertAll('profile', rows))
  return { org, anna, guest, id, ids, client: await guest.register() }
}

test('removing a choice that very many users have lets others write meanwhile', async () => {
  const { org, anna, guest, client, id, ids } = await choosers()
  let isOver = false
  const removing = org.owner
    .patch(`/realm/profile_fields/${id}`, { field_data: { emacs: choices.emacs } })
    .finally(() => (isOver = true))
  while (!isOver) await direct(anna, [guest], 'hello')
  expect((await removing).body).toEqual(success)
  const types = (await client.events()).map(({ type }) => type)
  const removals = types.slice(types.indexOf('realm_user'), types.lastIndexOf('realm_user') + 1)
  expect(removals).toContain('message')
  expect(removals.filter((type) => type === 'realm_user')).toHaveLength(ids.length)
  await client.expectStateToMatch()
})

test('removing a field removes very many values, also those that an earlier removal has left', async () => {
  const { org, anna, client, id, ids } = await choosers()
  const left = { [id + 1_000]: { value: 'left' } }
  await org.log.commit((change) => change.insert('profile', { user_id: anna.id, data: left }))
  expect((await org.owner.delete(`/realm/profile_fields/${id}`)).body).toEqual(success)
  const kept = [...ids, anna.id].filter(
    (user) => Object.keys(org.state.profiles.require(user).data).length > 0,
  )
  expect(kept).toEqual([])
  await client.expectStateToMatch()
})
