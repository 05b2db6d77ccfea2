import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const oldClient = { client_capabilities: { notification_settings_null: true } }

const setting = async () => cast(await organization())

const setTo = (who: Person, params: object) => who.patch('/settings', { ...params })

test('only the owner of a setting is notified, and only when it changes', async () => {
  const { anna, ben } = await setting()
  const [own, other] = [await anna.register(), await ben.register()]
  const params = { twenty_four_hour_time: true, color_scheme: 2, web_home_view: 'recent_topics' }
  expect((await setTo(anna, params)).body).toEqual(success)
  expect((await setTo(anna, params)).body).toEqual(success)
  const update = { type: 'user_settings', op: 'update' }
  expect(await own.events()).toMatchObject([
    { ...update, property: 'twenty_four_hour_time', value: true },
    { ...update, property: 'color_scheme', value: 2 },
    { ...update, property: 'web_home_view', value: 'recent_topics' },
  ])
  expect(await other.events()).toEqual([])
  await own.expectStateToMatch()
})

test('older clients also receive their own events, from every deprecated endpoint', async () => {
  const { anna } = await setting()
  const client = await anna.register(oldClient)
  await anna.patch('/settings/display', { default_language: 'de' })
  await anna.patch('/settings/notifications', { enable_sounds: false })
  expect((await client.events()).filter(({ type }) => type !== 'user_settings')).toMatchObject([
    {
      type: 'update_display_settings',
      user: anna.email,
      setting_name: 'default_language',
      setting: 'de',
      language_name: 'Deutsch',
    },
    {
      type: 'update_global_notifications',
      user: anna.email,
      notification_name: 'enable_sounds',
      setting: false,
    },
  ])
  await client.expectStateToMatch()
})

test('all users can see a time zone', async () => {
  const { anna, guest } = await setting()
  const [own, other] = [await anna.register(), await guest.register()]
  await setTo(anna, { timezone: 'Europe/Vienna' })
  const person = { user_id: anna.id, email: anna.email, timezone: 'Europe/Vienna' }
  expect(await other.events()).toMatchObject([{ type: 'realm_user', op: 'update', person }])
  for (const client of [own, other]) await client.expectStateToMatch()
})

test('validates values', async () => {
  const { anna } = await setting()
  const listed = 'Value error, Not in the list of possible values'
  for (const [params, msg] of [
    [{ color_scheme: 9 }, `Invalid color_scheme: ${listed}`],
    [{ emojiset: 'zzz' }, `Invalid emojiset: ${listed}`],
    [{ web_home_view: 'zzz' }, `Invalid web_home_view: ${listed}`],
    [{ web_animate_image_previews: 'zzz' }, 'Invalid web_animate_image_previews'],
    [{ default_language: 'zz' }, 'Invalid default_language'],
    [{ timezone: 'Nope/Zone' }, 'Invalid timezone: Value error, Not a recognized time zone'],
    [{ timezone: '+01:00' }, 'Invalid timezone: Value error, Not a recognized time zone'],
    [{ notification_sound: 'nope' }, "Invalid notification sound 'nope'"],
    [{ email_notifications_batching_period_seconds: -1 }, 'Invalid email batching period: -1 seconds'],
    [{ web_font_size_px: -3 }, 'web_font_size_px is too small'],
    [{ enter_sends: 'x' }, 'enter_sends is not valid JSON'],
    [{ full_name: '' }, 'Name too short!'],
    [{ email: 'bad' }, 'Invalid address.'],
    [{ email: 'ben@example.com' }, 'Already has an account.'],
    [{ new_password: 'swordfish 13' }, 'Wrong password!'],
  ] as const) {
    expect((await setTo(anna, params)).body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
  }
})

test('one wrong value rejects the whole request', async () => {
  const { anna } = await setting()
  const client = await anna.register()
  await setTo(anna, { enter_sends: true, notification_sound: 'nope' })
  await setTo(anna, { full_name: 'x', enter_sends: true })
  expect(await client.events()).toEqual([])
})

test('users can change their own name unless the organization disables it', async () => {
  const { org, anna, guest } = await setting()
  const client = await guest.register()
  await setTo(anna, { full_name: 'Anna Arp' })
  expect(await client.events()).toMatchObject([{ person: { user_id: anna.id, full_name: 'Anna Arp' } }])
  await org.owner.patch('/realm', { name_changes_disabled: true })
  await client.events()
  expect((await setTo(anna, { full_name: 'Anna Berg' })).body).toEqual(success)
  expect(await client.events()).toEqual([])
  await setTo(org.owner, { full_name: 'Otto' })
  expect(await client.events()).toMatchObject([{ person: { full_name: 'Otto' } }])
})

test('changing a password requires the old one', async () => {
  const { org } = await setting()
  const login = { email: 'dora@example.com', password: 'swordfish 12' }
  await org.owner.post('/users', { ...login, full_name: 'Dora' })
  const logIn = (password: string) => org.visitor.post('/fetch_api_key', { username: login.email, password })
  const { api_key: key, user_id: id } = (await logIn(login.password)).body
  const dora = new Person(org.place, { id, name: 'Dora', email: login.email, key })
  const change = (old_password: string, new_password: string) => setTo(dora, { old_password, new_password })
  expect((await change('guess', 'a new one 77')).body.msg).toBe('Wrong password!')
  for (const weak of ['abc', 'letmein']) {
    expect((await change(login.password, weak)).body.msg).toBe('The password is too weak.')
  }
  expect((await change(login.password, 'a new one 77')).body).toEqual(success)
  expect((await logIn(login.password)).status).toBe(401)
  expect((await logIn('a new one 77')).status).toBe(200)
  const tries = await Promise.all(Array.from({ length: 6 }, () => change('guess', 'another 77')))
  expect(tries.map(({ status }) => status)).toContain(429)
})

test('showing the address to more users than before notifies these users', async () => {
  const { org, anna, ben, guest } = await setting()
  await org.useGravatar()
  const admin = await org.person({ role: 'administrator' })
  const people = [anna, ben, guest, admin]
  const clients = await Promise.all(people.map((one) => one.register({ client_gravatar: false })))
  const heard = async () => {
    const events = await Promise.all(clients.map((client) => client.events()))
    return events.map((list) =>
      list
        .filter((event) => event.type === 'realm_user')
        .map(({ person }) => ('delivery_email' in person ? person.delivery_email : person.new_email) ?? null),
    )
  }
  const standIn = `user${anna.id}@${org.place.host}`
  const avatar = null
  await setTo(anna, { email_address_visibility: 2 })
  expect(await heard()).toEqual([
    [standIn, avatar],
    [standIn, avatar],
    [null, standIn, avatar],
    [standIn, avatar],
  ])
  await setTo(anna, { email_address_visibility: 3 })
  expect(await heard()).toEqual([[], [null], [], []])
  await setTo(anna, { email_address_visibility: 1 })
  expect(await heard()).toEqual([
    [anna.email, avatar],
    [anna.email, anna.email, avatar],
    [anna.email, anna.email, avatar],
    [anna.email, avatar],
  ])
  for (const client of clients) await client.expectStateToMatch()
})

test('administrators are notified whether private data may be exported', async () => {
  const { org, anna, ben } = await setting()
  const [owner, other] = [await org.owner.register(), await ben.register()]
  await setTo(anna, { allow_private_data_export: true })
  expect(await owner.events()).toMatchObject([
    { type: 'realm_export_consent', user_id: anna.id, consented: true },
  ])
  expect(await other.events()).toEqual([])
})

test('administrators set the default settings of new users', async () => {
  const { org, anna } = await setting()
  const client = await anna.register()
  const params = { color_scheme: 3, enter_sends: true }
  const path = '/realm/user_settings_defaults'
  expect((await anna.patch(path, params)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  expect((await org.owner.patch(path, params)).body).toEqual(success)
  expect((await org.owner.patch(path, params)).body).toEqual(success)
  const update = { type: 'realm_user_settings_defaults', op: 'update' }
  expect(await client.events()).toMatchObject([
    { ...update, property: 'color_scheme', value: 3 },
    { ...update, property: 'enter_sends', value: true },
  ])
  await client.expectStateToMatch()
  const { state } = await anna.register()
  expect(state.user_settings.color_scheme).toBe(1)
})

test('slash commands change settings', async () => {
  const { anna } = await setting()
  const client = await anna.register()
  const say = async (command: string) => (await anna.post('/zcommand', { command })).body
  expect(await say('/ping')).toEqual(success)
  expect((await say('/dark')).msg).toContain('/light')
  expect((await say('/night')).msg).toContain('already')
  expect((await say('/fluid-width')).result).toBe('success')
  expect(await client.events()).toMatchObject([
    { property: 'color_scheme', value: 2 },
    { property: 'fluid_layout_width', value: true },
  ])
  expect((await say('/constructor')).msg).toBe('No such command: constructor')
  expect((await say('dark')).msg).toBe('There should be a leading slash in the zcommand.')
})
