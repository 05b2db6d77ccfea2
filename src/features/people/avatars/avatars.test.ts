import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { look, png, sendFiles } from '../../../../test/pictures.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { avatarLimits } from './limits.ts'

const { organization } = sharedServer()

async function upload(who: Person, content?: Buffer) {
  return sendFiles(who, 'POST', '/users/me/avatar', [{ content: content ?? (await png(300)) }])
}

function gravatar(email: string, rest: string) {
  const hash = createHash('md5').update(email).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${rest}`
}

test('all users receive a user’s new avatar, in two sizes', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const client = await ben.register({ client_gravatar: true })
  const { status, body } = await upload(anna, await png(600, 300))
  expect({ status, ...body }).toMatchObject({
    status: 200,
    avatar_url: expect.stringMatching(`^/user_avatars/${org.id}/\\w+\\.png\\?v=2$`),
  })
  const { avatar_url } = body
  const medium = avatar_url.replace('.png', '-medium.png')
  expect(await client.events()).toMatchObject([
    {
      type: 'realm_user',
      op: 'update',
      person: {
        user_id: anna.id,
        avatar_source: 'U',
        avatar_url,
        avatar_url_medium: medium,
        avatar_version: 2,
      },
    },
  ])
  await client.expectStateToMatch()
  expect(await look(org.visitor, avatar_url)).toMatchObject({ type: 'image/png', width: 100, height: 100 })
  expect(await look(org.visitor, medium)).toMatchObject({ type: 'image/png', width: 500, height: 500 })
})

test('clients that compute avatars also receive uploaded ones', async () => {
  const org = await organization()
  await org.useGravatar()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const { avatar_url } = (await upload(anna)).body
  const sent = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
  await ben.post('/messages', { type: 'direct', to: [anna.id], content: 'y' })
  const avatars = async (client_gravatar: boolean) => {
    const { messages } = (await ben.get('/messages', { message_ids: [sent.body.id], client_gravatar })).body
    const { user } = (await ben.get(`/users/${anna.id}`, { client_gravatar })).body
    return [messages[0].avatar_url, user.avatar_url]
  }
  expect(await avatars(true)).toEqual([avatar_url, avatar_url])
  expect(await avatars(false)).toEqual([avatar_url, avatar_url])
  const { user } = (await anna.get(`/users/${ben.id}`, { client_gravatar: true })).body
  expect(user.avatar_url).toBe(null)
  const own = (await anna.register()).state
  expect(own).toMatchObject({ avatar_url, avatar_source: 'U', avatar_url_medium: expect.any(String) })
})

test('without an uploaded avatar, the address determines the picture again and the file is removed', async () => {
  const org = await organization()
  await org.useGravatar()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const { avatar_url: before } = (await upload(anna)).body
  const client = await ben.register({ client_gravatar: true })
  const { body } = await anna.delete('/users/me/avatar')
  expect(body.avatar_url).toBe(gravatar(anna.email, '&version=3'))
  expect(await client.events()).toMatchObject([
    {
      person: {
        user_id: anna.id,
        avatar_source: 'G',
        avatar_url: gravatar(anna.email, '&version=3'),
        avatar_url_medium: gravatar(anna.email, '&s=500&version=3'),
        avatar_version: 3,
      },
    },
  ])
  await client.expectStateToMatch()
  expect((await look(ben, before)).status).toBe(404)
})

test('the server draws avatars for users without an upload, from their id alone, without a third party', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const guest = await org.person({ role: 'guest' })
  const drawn = (id: number) => `/user_avatars/${org.id}/drawn/${id}.png?v=1`
  const own = (await ben.get(`/users/${anna.id}`, { client_gravatar: false })).body.user
  expect(own.avatar_url).toBe(drawn(anna.id))
  await org.useGravatar(false)
  const client = await ben.register({ client_gravatar: true })
  expect(JSON.stringify(client.state)).not.toContain('gravatar.com')
  const shown = client.state.realm_users.find((one: { user_id: number }) => one.user_id === anna.id)
  expect(shown.avatar_url).toBe(drawn(anna.id))
  await anna.patch('/settings', { email_address_visibility: 4 })
  await client.events()
  await client.expectStateToMatch()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const goTo = async (path: string, who = ben) => (await who.raw({ method: 'GET', path })).headers.location
  expect(await goTo(`/avatar/${anna.id}`, guest)).toBe(drawn(anna.id))
  expect(await goTo(`/avatar/${anna.id}`)).toBe(drawn(anna.id))
  expect(await goTo('/avatar/nobody@example.com')).toMatch(/\/drawn\/x[0-9a-f]{16}\.png\?v=1$/)
  expect(await goTo('/avatar/999999/medium')).toMatch(/\/drawn\/999999-medium\.png\?v=1$/)
})

test('a drawn avatar is a PNG in two sizes, always the same, and different for each user', async () => {
  const [org, other] = await Promise.all([organization(), organization()])
  const path = (name: string) => `/user_avatars/${org.id}/drawn/${name}.png`
  const small = await look(org.visitor, path('7'))
  expect(small).toMatchObject({ status: 200, type: 'image/png', format: 'png', width: 100, height: 100 })
  expect(await look(org.visitor, path('7-medium'))).toMatchObject({ format: 'png', width: 500, height: 500 })
  expect((await look(org.visitor, path('7'))).bytes).toEqual(small.bytes)
  expect((await look(org.visitor, path('8'))).bytes).not.toEqual(small.bytes)
  expect((await look(other.visitor, path('7'))).status).toBe(404)
  expect((await look(org.visitor, path('../7'))).status).toBe(404)
})

test('a new avatar has a new address, and the old picture is removed', async () => {
  const org = await organization()
  const first = (await upload(org.owner)).body.avatar_url
  const second = (await upload(org.owner, await png(50, 50, '#00f'))).body.avatar_url
  expect(second.split('?')[0]).not.toBe(first.split('?')[0])
  expect((await look(org.owner, first)).status).toBe(404)
  expect((await look(org.owner, second)).status).toBe(200)
})

test('a user with many pictures to draw does not delay other users', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const [large, small] = await Promise.all([png(2000), png(50)])
  const drawn: string[] = []
  const send = async (who: Person, content: Buffer, name: string) => {
    expect((await upload(who, content)).status).toBe(200)
    drawn.push(name)
  }
  const many = Array.from({ length: 12 }, () => send(anna, large, 'hers'))
  // Her first picture is drawn while the others wait.
  await expect.poll(() => drawn.length).toBeGreaterThan(0)
  await send(ben, small, 'his')
  expect(drawn.length).toBeLessThan(12)
  await Promise.all(many)
})

test('a redrawn picture contains no other data of the file', async () => {
  const org = await organization()
  const content = Buffer.concat([await png(200), Buffer.from('<script>alert(1)</script>')])
  const { bytes } = await look(org.visitor, (await upload(org.owner, content)).body.avatar_url)
  expect(bytes.includes('script')).toBe(false)
})

test('guests receive no avatars of users whom they may not see', async () => {
  const org = await organization()
  const [anna, guest] = await Promise.all([org.person(), org.person({ role: 'guest' })])
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const client = await guest.register()
  await upload(anna)
  expect(await client.events()).toEqual([])
  await client.expectStateToMatch()
})

test('an organization may forbid avatar changes, except for administrators', async () => {
  const org = await organization()
  const anna = await org.person()
  await org.owner.patch('/realm', { avatar_changes_disabled: true })
  const msg = 'Avatar changes are disabled in this organization.'
  expect((await upload(anna)).body.msg).toBe(msg)
  expect((await anna.delete('/users/me/avatar')).body.msg).toBe(msg)
  expect((await upload(org.owner)).status).toBe(200)
})

test.each([
  ['nothing', [], 'You must upload exactly one avatar.'],
  ['two', ['a', 'b'], 'You must upload exactly one avatar.'],
  ['no picture', ['a'], 'Invalid image format'],
  [
    'too large a file',
    ['x'.repeat(avatarLimits.avatarMib * 2 ** 20 + 1)],
    /larger than the allowed limit of 5 MiB/,
  ],
])('%s is refused', async (_, contents, msg) => {
  const org = await organization()
  const files = contents.map((content) => ({ content: Buffer.from(content) }))
  const { status, body } = await sendFiles(org.owner, 'POST', '/users/me/avatar', files)
  expect({ status, msg: body.msg }).toEqual({ status: 400, msg: expect.stringMatching(msg) })
})

test('every user has an address for their avatar', async () => {
  const org = await organization()
  await org.useGravatar()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const { avatar_url } = (await upload(anna)).body
  const goTo = async (path: string) => {
    const { status, headers } = await ben.raw({ method: 'GET', path })
    return { status, location: headers.location }
  }
  const found = { status: 302, location: avatar_url }
  expect(await goTo(`/avatar/${anna.id}`)).toEqual(found)
  expect(await goTo(`/avatar/${anna.email}`)).toEqual(found)
  const medium = avatar_url.replace('.png', '-medium.png')
  expect(await goTo(`/avatar/${anna.id}/medium`)).toEqual({ status: 302, location: medium })
  expect((await goTo(`/avatar/${ben.id}/medium`)).location).toBe(gravatar(ben.email, '&s=500&version=1'))
  expect((await goTo('/avatar/nobody@example.com')).location).toBe(
    gravatar('nobody@example.com', '&version=1'),
  )
  await anna.patch('/settings', { email_address_visibility: 4 })
  expect((await goTo(`/avatar/${anna.email}`)).location).toBe(gravatar(anna.email, '&version=1'))
  expect((await org.visitor.raw({ method: 'GET', path: `/avatar/${anna.id}` })).status).toBe(401)
})

test('every client can show the pictures of system bots', async () => {
  const org = await organization()
  const anna = await org.person()
  const { cross_realm_bots } = (await anna.register()).state
  expect(cross_realm_bots).toHaveLength(3)
  for (const { user_id, avatar_url } of cross_realm_bots) {
    const { pathname } = new URL(avatar_url)
    expect(await look(org.visitor, pathname)).toMatchObject({ format: 'png', width: 100, height: 100 })
    // The mobile app derives the address of the larger size like this.
    const medium = pathname.replace(/(\.png)?$/, '-medium.png')
    expect(await look(org.visitor, medium)).toMatchObject({ format: 'png', width: 500, height: 500 })
    const goTo = async (path: string) => (await anna.raw({ method: 'GET', path })).headers.location
    expect(await goTo(`/avatar/${user_id}`)).toBe(avatar_url)
    expect(await goTo(`/avatar/${user_id}/medium`)).toBe(avatar_url.replace('.png', '-medium.png'))
  }
})

test('a bot has an avatar from its creation, or gets one later', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const [hers, his] = [await anna.register(), await ben.register({ client_gravatar: true })]
  const fields = { full_name: 'Helper', short_name: 'helper' }
  const made = await sendFiles(anna, 'POST', '/bots', [{ content: await png() }], { fields })
  const { user_id, avatar_url: first } = made.body
  expect(first).toMatch(/^\/user_avatars\/.*\?v=1$/)
  expect(await his.events()).toMatchObject([
    { type: 'realm_user', op: 'add', person: { user_id, avatar_url: first } },
    {},
    {},
  ])
  expect(await hers.events()).toContainEqual(
    expect.objectContaining({ type: 'realm_bot', bot: expect.objectContaining({ avatar_url: first }) }),
  )
  const changed = await sendFiles(anna, 'PATCH', `/bots/${user_id}`, [{ content: await png() }])
  const { avatar_url } = changed.body
  expect(avatar_url).not.toBe(first)
  expect(await hers.events()).toMatchObject([
    { type: 'realm_user', op: 'update', person: { user_id, avatar_source: 'U', avatar_url } },
    { type: 'realm_bot', op: 'update', bot: { user_id, avatar_url } },
  ])
  expect(await his.events()).toMatchObject([{ type: 'realm_user', person: { user_id, avatar_url } }])
  await hers.expectStateToMatch()
  await his.expectStateToMatch()
  expect((await look(ben, avatar_url)).status).toBe(200)
  expect((await look(ben, first)).status).toBe(404)
  const content = await png()
  const two = await sendFiles(anna, 'PATCH', `/bots/${user_id}`, [{ content }, { content }])
  expect(two.body.msg).toBe('You may only upload one file at a time')
})
