import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { look, png, sendFiles } from '../../../../test/pictures.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function upload(who: Person, what: string, fields = {}, content?: Buffer) {
  return sendFiles(who, 'POST', `/realm/${what}`, [{ content: content ?? (await png(200)) }], { fields })
}

async function goTo(org: Organization, path: string) {
  const { status, headers } = await org.owner.get(path)
  return { status, location: headers.location }
}

test('all users receive a new icon; members and spectators see it', async () => {
  const org = await organization()
  const anna = await org.person()
  const client = await anna.register()
  const { body } = await upload(org.owner, 'icon')
  const { icon_url } = body
  expect(icon_url).toMatch(/^\/user_avatars\/\d+\/realm\/\w+\.png\?version=2$/)
  expect(await client.events()).toMatchObject([
    { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url, icon_source: 'U' } },
  ])
  await client.expectStateToMatch()
  expect((await org.visitor.get('/server_settings')).body.realm_icon).toBe(icon_url)
  expect(await look(org.visitor, icon_url)).toMatchObject({ type: 'image/png', width: 100, height: 100 })
  expect(await goTo(org, '/realm/icon')).toEqual({ status: 302, location: icon_url })
})

test('without an icon, a pattern takes its place and the picture is removed', async () => {
  const org = await organization()
  const { icon_url: before } = (await upload(org.owner, 'icon')).body
  const client = await org.owner.register()
  const { icon_url } = (await org.owner.delete('/realm/icon')).body
  expect(icon_url).toBe(`/user_avatars/${org.id}/drawn/o${org.id}.png?version=3`)
  expect(await look(org.visitor, icon_url)).toMatchObject({ format: 'png', width: 100, height: 100 })
  expect(await client.events()).toMatchObject([{ property: 'icon', data: { icon_url, icon_source: 'G' } }])
  await client.expectStateToMatch()
  expect((await look(org.visitor, before)).status).toBe(404)
})

test('a logo may be wide, and there is a second one for dark themes', async () => {
  const org = await organization()
  const client = await org.owner.register()
  const { realm_logo_url, realm_logo_source } = client.state
  expect(realm_logo_source).toBe('D')
  expect((await org.visitor.raw({ method: 'GET', path: new URL(realm_logo_url).pathname })).status).toBe(200)
  expect((await upload(org.owner, 'logo', { night: 'false' }, await png(1600, 100))).body).toEqual({
    result: 'success',
    msg: '',
  })
  await upload(org.owner, 'logo', { night: 'true' }, await png(200, 400))
  const [day, night] = await client.events()
  expect(day).toMatchObject({ property: 'logo', data: { logo_source: 'U' } })
  expect(night).toMatchObject({ property: 'night_logo', data: { night_logo_source: 'U' } })
  await client.expectStateToMatch()
  expect(await look(org.visitor, day!.data.logo_url)).toMatchObject({ width: 800, height: 50 })
  expect(await look(org.visitor, night!.data.night_logo_url)).toMatchObject({ width: 50, height: 100 })
  expect((await goTo(org, '/realm/logo?night=true')).location).toBe(night!.data.night_logo_url)
  expect((await goTo(org, '/realm/logo?night=false')).location).toBe(day!.data.logo_url)
  expect((await org.owner.delete('/realm/logo', { night: true })).status).toBe(200)
  expect(await client.events()).toMatchObject([
    {
      property: 'night_logo',
      data: { night_logo_source: 'D', night_logo_url: client.state.realm_night_logo_url },
    },
  ])
  await client.expectStateToMatch()
})

test('only administrators change them', async () => {
  const org = await organization()
  const anna = await org.person()
  const refused = { status: 400, body: { msg: 'Must be an organization administrator' } }
  expect(await upload(anna, 'icon')).toMatchObject(refused)
  expect(await upload(anna, 'logo', { night: 'false' })).toMatchObject(refused)
  expect(await anna.delete('/realm/icon')).toMatchObject(refused)
  expect(await anna.delete('/realm/logo', { night: true })).toMatchObject(refused)
})

test('files that are not pictures are refused', async () => {
  const org = await organization()
  const msgOf = async (path: string, fields = {}) => (await org.owner.post(path, fields)).body.msg
  expect(await msgOf('/realm/icon')).toBe('You must upload exactly one icon.')
  expect(await msgOf('/realm/logo', { night: true })).toBe('You must upload exactly one logo.')
  expect(await msgOf('/realm/logo')).toBe("Missing 'night' argument")
  const { body } = await upload(org.owner, 'icon', {}, Buffer.from('text'))
  expect(body).toMatchObject({ code: 'BAD_IMAGE', msg: 'Invalid image format' })
})
