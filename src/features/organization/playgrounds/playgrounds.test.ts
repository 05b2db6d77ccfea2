import { expect, test } from 'vitest'
import { type Sent, success } from '../../../../test/http.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const python = {
  name: 'Python here',
  pygments_language: 'Python',
  url_template: 'https://python.example.com/?c={code}',
}

async function add(person: Person, playground: Sent) {
  return (await person.post('/realm/playgrounds', playground)).body
}

test('playgrounds are added and removed, and all users are notified', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const client = await guest.register()
  const first = await add(org.owner, python)
  expect(first).toEqual({ ...success, id: expect.any(Number) })
  const realm_playgrounds = [{ ...python, id: first.id }]
  expect(await client.events()).toMatchObject([{ type: 'realm_playgrounds', realm_playgrounds }])
  const { pygments_language: highlighter_language, ...rest } = python
  const second = await add(org.owner, { ...rest, name: 'And there', highlighter_language })
  expect(second).toEqual({ ...success, id: expect.any(Number) })
  await client.expectStateToMatch()
  expect((await org.owner.delete(`/realm/playgrounds/${first.id}`)).body).toEqual(success)
  expect(await client.events()).toMatchObject([
    { realm_playgrounds: [{ ...python, name: 'And there', id: second.id }] },
  ])
  await client.expectStateToMatch()
  const again = await org.owner.delete(`/realm/playgrounds/${first.id}`)
  expect(again.body).toEqual({ result: 'error', msg: 'Invalid playground', code: 'BAD_REQUEST' })
})

test('only administrators change them, and only those of their organization', async () => {
  const [org, other] = await Promise.all([organization(), organization()])
  const ann = await org.person()
  const { id } = await add(org.owner, python)
  const client = await ann.register()
  const refused = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' }
  expect(await add(ann, { ...python, name: 'x' })).toMatchObject(refused)
  expect((await ann.delete(`/realm/playgrounds/${id}`)).body).toMatchObject(refused)
  await add(other.owner, python)
  expect((await other.owner.delete(`/realm/playgrounds/${id}`)).body.msg).toBe('Invalid playground')
  expect(await client.events()).toEqual([])
})

const duplicate = 'Realm playground with this Realm, Pygments language and Name already exists.'
const missing = 'Missing the required variable "code" in the URL template'
const tooMany = '"code" should be the only variable present in the URL template'
const blank = 'This field cannot be blank.'
const scheme = 'The URL template must begin with http:// or https://'

test.each<[change: object, errors: Record<string, string[]>]>([
  [{}, { __all__: [duplicate] }],
  [{ name: '' }, { name: [blank] }],
  [{ pygments_language: '' }, { pygments_language: [blank] }],
  [{ url_template: 'https://x/' }, { __all__: [missing, duplicate] }],
  [{ url_template: 'https://x/{nope}' }, { __all__: [missing, duplicate] }],
  [{ url_template: 'https://x/{code}{other}' }, { __all__: [tooMany, duplicate] }],
  [{ url_template: 'https://x/{code', name: 'x' }, { url_template: ['Invalid URL template.'] }],
  [{ url_template: 'javascript:{+code}', name: 'x' }, { url_template: [scheme] }],
  [{ url_template: '{+code}', name: 'x' }, { url_template: [scheme] }],
])('no playground: %j', async (change, errors) => {
  const { owner } = await organization()
  await add(owner, python)
  const refused = { result: 'error', msg: Object.values(errors)[0]![0], errors, code: 'BAD_REQUEST' }
  expect(await add(owner, { ...python, ...change })).toEqual(refused)
})

test('languages are validated', async () => {
  const { owner } = await organization()
  const addFor = (pygments_language: string) => add(owner, { ...python, pygments_language })
  expect((await addFor('bad lang!')).msg).toBe('Invalid characters in pygments language')
  expect((await addFor('x'.repeat(41))).msg).toBe('pygments_language is too long (limit: 40 characters)')
  for (const language of ['C++', 'F#', 'Objective-C', 'HTML + Angular2']) {
    expect(await addFor(language)).toMatchObject(success)
  }
})
