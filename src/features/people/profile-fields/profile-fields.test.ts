import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast, type Organization } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const choices = { vim: { text: 'Vim', order: '1' }, emacs: { text: 'Emacs', order: '2' } }

async function setting() {
  const people = await cast(await organization())
  const field = async (params: object) => (await create(people.org, params)).id as number
  return { ...people, field }
}

const create = async (org: Organization, params: object) =>
  (await org.owner.post('/realm/profile_fields', { field_type: 1, ...params })).body

test('fields are added, changed, reordered and removed, and all users are notified', async () => {
  const { org, anna, guest, field } = await setting()
  const client = await guest.register()
  const phone = await field({ name: 'Phone', hint: 'tel' })
  const editor = await field({ name: 'Editor', field_type: 3, field_data: choices })
  await anna.patch('/users/me/profile_data', { data: [{ id: phone, value: '1' }] })
  await org.owner.patch(`/realm/profile_fields/${phone}`, { name: 'Telephone', required: true })
  await org.owner.patch('/realm/profile_fields', { order: [editor, phone] })
  await client.expectStateToMatch()
  expect((await client.events()).length).toBe(0)
  const { custom_fields } = (await guest.get('/realm/profile_fields')).body
  expect(custom_fields).toEqual([
    {
      id: editor,
      name: 'Editor',
      type: 3,
      hint: '',
      field_data: JSON.stringify(choices),
      order: 0,
      required: false,
      editable_by_user: true,
    },
    {
      id: phone,
      name: 'Telephone',
      type: 1,
      hint: 'tel',
      field_data: '',
      order: 1,
      required: true,
      editable_by_user: true,
    },
  ])
  await org.owner.delete(`/realm/profile_fields/${phone}`)
  expect(await client.events()).toMatchObject([{ type: 'custom_profile_fields', fields: [{ id: editor }] }])
  await client.expectStateToMatch()
  // The users' values of a removed field are deleted.
  expect(org.state.profiles.get(anna.id)?.data).toEqual({})
})

test('an external account of a known kind stays as clients know it, but may be shown in profiles', async () => {
  const { org, guest, field } = await setting()
  const id = await field({ field_type: 7, field_data: { subtype: 'github' } })
  const client = await guest.register()
  const change = async (params: object) =>
    (await org.owner.patch(`/realm/profile_fields/${id}`, { ...params })).body
  const fixed = { result: 'error', msg: 'Default custom field cannot be updated.', code: 'BAD_REQUEST' }
  expect(await change({ name: 'Code' })).toEqual(fixed)
  expect(await change({ hint: '' })).not.toEqual(fixed)
  expect(await change({ hint: 'Yours' })).toEqual(fixed)
  expect(await change({ field_data: { subtype: 'twitter' } })).toEqual(fixed)
  const same = { name: 'GitHub username', hint: '', field_data: { subtype: 'github' } }
  expect(await change({ ...same, display_in_profile_summary: true })).toEqual(success)
  const [shown] = (await guest.register()).state.custom_profile_fields
  expect(shown).toMatchObject({ name: 'GitHub username', display_in_profile_summary: true })
  await client.expectStateToMatch()
})

test('null clears a field, for the user and for administrators', async () => {
  const { org, anna, field } = await setting()
  const [phone, mentor] = [await field({ name: 'Phone' }), await field({ name: 'Mentor', field_type: 6 })]
  const data = [
    { id: phone, value: '1' },
    { id: mentor, value: [org.owner.id] },
  ]
  const cleared = [
    { id: phone, value: null },
    { id: mentor, value: null },
  ]
  const client = await org.owner.register()
  for (const clear of [
    () => anna.patch('/users/me/profile_data', { data: cleared }),
    () => org.owner.patch(`/users/${anna.id}`, { profile_data: cleared }),
    () => org.owner.patch(`/users/${anna.email}`, { profile_data: cleared }),
  ]) {
    await anna.patch('/users/me/profile_data', { data })
    await client.events()
    expect((await clear()).body).toEqual(success)
    expect(org.state.profiles.get(anna.id)?.data).toEqual({})
    expect((await client.events()).map(({ person }) => person.custom_profile_field)).toMatchObject([
      { id: phone, value: null },
      { id: mentor, value: null },
    ])
    await client.expectStateToMatch()
  }
})

test('the length of a field’s data is limited', async () => {
  const { org } = await setting()
  const field_data = { vim: { text: 'x'.repeat(50_000), order: '1' } }
  const { msg } = await create(org, { name: 'Editor', field_type: 3, field_data })
  expect(msg).toBe('field_data is too long (limit: 50000 characters)')
})

test('fields are validated', async () => {
  const { org, anna, field } = await setting()
  const id = await field({ name: 'Phone' })
  for (const [params, msg] of [
    [{ name: 'Phone' }, 'A field with that label already exists.'],
    [{ name: ' ' }, 'Label cannot be blank.'],
    [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ name: 'h', hint: 'y'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
    [{ name: 'a', field_type: 99 }, 'Invalid field type.'],
    [{ name: 'a', field_type: 3 }, 'Field must have at least one choice.'],
    [
      { name: 'a', field_type: 3, field_data: { a: { text: '', order: '1' } } },
      'field_data["text"] cannot be blank.',
    ],
    [{ name: 'a', field_type: 7, field_data: { subtype: 'nope' } }, 'Invalid external account type'],
    [
      { name: 'a', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'zz' } },
      "URL pattern must contain '%(username)s'.",
    ],
    [
      { name: 'a', field_type: 7, field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } },
      'url_pattern is not a URL',
    ],
    [
      { name: 'a', field_type: 2, display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
  ] as const) {
    expect(await create(org, params)).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
  }
  const path = '/realm/profile_fields'
  expect((await org.owner.patch(path, { order: [id, id] })).body.msg).toBe('Invalid order mapping.')
  expect((await org.owner.patch(`${path}/99999999`, {})).body.msg).toBe('Field id 99999999 not found.')
  for (const { body } of [
    await anna.post(path, { name: 'm', field_type: 1 }),
    await anna.patch(`${path}/${id}`, { name: 'm' }),
    await anna.patch(path, { order: [id] }),
    await anna.delete(`${path}/${id}`),
  ]) {
    expect(body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  }
  expect(await create(org, { name: 'G', field_type: 7, field_data: { subtype: 'github' } })).toMatchObject(
    success,
  )
  expect((await anna.get(path)).body.custom_fields[1].name).toBe('GitHub username')
})

test('other users see a user’s values', async () => {
  const { org, anna, ben, guest, field } = await setting()
  const [bio, friend, site] = [
    await field({ name: 'Bio', field_type: 2 }),
    await field({ name: 'Friend', field_type: 6 }),
    await field({ name: 'Site', field_type: 5 }),
  ]
  const client = await guest.register()
  const data = [
    { id: bio, value: '**bold** one' },
    { id: friend, value: [ben.id] },
    { id: site, value: 'https://example.com' },
  ]
  expect((await anna.patch('/users/me/profile_data', { data })).body).toEqual(success)
  expect((await anna.patch('/users/me/profile_data', { data })).body).toEqual(success)
  const told = [
    { id: bio, value: '**bold** one', rendered_value: '<p><strong>bold</strong> one</p>' },
    { id: friend, value: `[${ben.id}]` },
    { id: site, value: 'https://example.com' },
  ]
  expect(await client.events()).toMatchObject(
    told.map((one) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: anna.id, custom_profile_field: one },
    })),
  )
  await client.expectStateToMatch()
  const { user } = (await guest.get(`/users/${anna.id}`, { include_custom_profile_fields: true })).body
  expect(user.profile_data).toEqual(Object.fromEntries(told.map(({ id, ...rest }) => [id, rest])))
  // Values that were read can be written back unchanged.
  const kept = told.map(({ id, value }) => ({ id, value }))
  expect((await anna.patch('/users/me/profile_data', { data: kept })).body).toEqual(success)
  const other = [{ id: friend, value: `[${guest.id}]` }]
  expect((await org.owner.patch(`/users/${anna.id}`, { profile_data: other })).body).toEqual(success)
  expect(await client.events()).toMatchObject([
    { person: { custom_profile_field: { id: friend, value: `[${guest.id}]` } } },
  ])
  for (const value of ['1', '[1', '["1"]', '{}', 'null']) {
    const { body } = await anna.patch('/users/me/profile_data', { data: [{ id: friend, value }] })
    expect(body.msg).toBe('User IDs is not a list')
  }
  await anna.delete('/users/me/profile_data', { data: [site] })
  expect(await client.events()).toMatchObject([
    { person: { custom_profile_field: { id: site, value: null } } },
  ])
  await client.expectStateToMatch()
})

test('values are validated', async () => {
  const { anna, field } = await setting()
  const ids = {
    text: await field({ name: 'Text' }),
    editor: await field({ name: 'Editor', field_type: 3, field_data: choices }),
    day: await field({ name: 'Day', field_type: 4 }),
    site: await field({ name: 'Site', field_type: 5 }),
    friend: await field({ name: 'Friend', field_type: 6 }),
    fixed: await field({ name: 'Fixed', editable_by_user: false }),
  }
  const set = async (data: object) => (await anna.patch('/users/me/profile_data', { data })).body
  const locked = 'You are not allowed to change this field. Contact an administrator to update it.'
  for (const [data, msg] of [
    [{ id: ids.text, value: 'y'.repeat(51) }, 'Text is too long (limit: 50 characters)'],
    [{ id: ids.text, value: [1] }, 'Text is not a string'],
    [{ id: ids.editor, value: 'nano' }, "'nano' is not a valid choice for 'Editor'."],
    [{ id: ids.editor, value: 'constructor' }, "'constructor' is not a valid choice for 'Editor'."],
    [{ id: ids.day, value: '03/02/1990' }, 'Day is not a date'],
    [{ id: ids.day, value: '1990-02-31' }, 'Day is not a date'],
    [{ id: ids.site, value: 'javascript:alert(1)' }, 'Site is not a URL'],
    [{ id: ids.friend, value: [99999999] }, 'Invalid user IDs: 99999999'],
    [{ id: ids.friend, value: 'x' }, 'User IDs is not a list'],
    [{ id: ids.fixed, value: 'x' }, locked],
    [{ id: 99999999, value: 'x' }, 'Field id 99999999 not found.'],
    [{ id: ids.text }, 'data[0]["value"] field is missing: Field required'],
  ] as const) {
    expect(await set([data])).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
  }
  expect((await anna.delete('/users/me/profile_data', { data: [ids.fixed] })).body.msg).toBe(locked)
})

test('administrators set values of other users, even those that the users may not change', async () => {
  const { org, anna, ben, guest, field } = await setting()
  const id = await field({ name: 'Desk', editable_by_user: false })
  const client = await guest.register()
  const set = (value: string) => org.owner.patch(`/users/${anna.id}`, { profile_data: [{ id, value }] })
  expect((await set('4')).body).toEqual(success)
  expect(await client.events()).toMatchObject([{ person: { custom_profile_field: { id, value: '4' } } }])
  expect((await set('')).body).toEqual(success)
  expect(await client.events()).toMatchObject([{ person: { custom_profile_field: { id, value: null } } }])
  await client.expectStateToMatch()
  const refused = await ben.patch(`/users/${anna.id}`, { profile_data: [{ id, value: 'x' }] })
  expect(refused.body.msg).toBe('Insufficient permission')
  expect(await client.events()).toEqual([])
})

test('removing a choice removes it from all users', async () => {
  const { org, anna, ben, guest, field } = await setting()
  const id = await field({ name: 'Editor', field_type: 3, field_data: choices })
  for (const [person, value] of [
    [anna, 'vim'],
    [ben, 'emacs'],
    [org.owner, 'vim'],
  ] as const) {
    await person.patch('/users/me/profile_data', { data: [{ id, value }] })
  }
  const client = await guest.register()
  await org.owner.patch(`/realm/profile_fields/${id}`, { field_data: { emacs: choices.emacs } })
  await client.expectStateToMatch()
  const { user } = (await guest.get(`/users/${anna.id}`, { include_custom_profile_fields: true })).body
  expect(user.profile_data).toEqual({})
  expect(org.state.profiles.get(ben.id)?.data).toEqual({ [id]: { value: 'emacs' } })
})

test('a value does not tell guests who is hidden from them', async () => {
  const { org, guest, field } = await setting()
  const friend = await field({ name: 'Friend', field_type: 6 })
  const [hidden, gone] = [await org.person(), await org.person()]
  await org.owner.delete(`/users/${gone.id}`)
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  for (const id of [hidden.id, gone.id, 99999999]) {
    const { body } = await guest.patch('/users/me/profile_data', { data: [{ id: friend, value: [id] }] })
    expect(body.msg).toBe(`Invalid user IDs: ${id}`)
  }
  const known = { data: [{ id: friend, value: [guest.id] }] }
  expect((await guest.patch('/users/me/profile_data', known)).body).toEqual(success)
})
