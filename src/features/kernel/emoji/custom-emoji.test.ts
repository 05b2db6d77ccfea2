import { expect, test } from 'vitest'
import { annaAndBen, type Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { gif, longGif, look, png, sendFiles } from '../../../../test/pictures.ts'
import { pathsIn } from '../../../../test/stored-files.ts'
import { testServer } from '../../../../test/test-server.ts'
import { emojiLimits } from '../../organization/emoji/limits.ts'
import { pictureLimits } from '../../organization/kernel/pictures/limits.ts'
import { systemGroupId } from '../groups/access.ts'

const { organization, adapters, anotherNode } = testServer()

async function add(who: Person, name: string, content?: Buffer) {
  const path = `/realm/emoji/${encodeURIComponent(name)}`
  return sendFiles(who, 'POST', path, [{ content: content ?? (await png()) }])
}

async function allEmoji(who: Person): Promise<Record<string, Record<string, unknown>>> {
  return (await who.get('/realm/emoji')).body.emoji
}

async function emojiOf(who: Person, name: string) {
  return Object.values(await allEmoji(who)).find((one) => one.name === name && !one.deactivated)!
}

async function storedPictures(org: Organization) {
  return pathsIn(adapters.files, `${org.id}/pictures/`)
}

test('all users receive a new emoji, and its picture can be loaded', async () => {
  const org = await organization()
  const [anna, guest] = await Promise.all([org.person(), org.person({ role: 'guest' })])
  const [hers, theirs] = [await anna.register(), await guest.register()]
  expect((await add(anna, 'party x', await png(300, 200))).body).toEqual({ result: 'success', msg: '' })
  const emoji = await emojiOf(guest, 'party_x')
  expect(emoji).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'party_x',
    source_url: expect.stringMatching(`^/user_avatars/${org.id}/emoji/images/\\w+\\.png$`),
    still_url: null,
    deactivated: false,
    author_id: anna.id,
  })
  const told = { type: 'realm_emoji', op: 'update', realm_emoji: { [emoji.id as string]: emoji } }
  expect(await hers.events()).toMatchObject([told])
  expect(await theirs.events()).toMatchObject([told])
  await theirs.expectStateToMatch()
  const picture = await look(org.visitor, emoji.source_url as string)
  expect(picture).toMatchObject({ status: 200, type: 'image/png', format: 'png', width: 64, height: 64 })
  expect(picture.headers['cache-control']).toContain('immutable')
})

test('an animated emoji also has a static picture', async () => {
  const org = await organization()
  await add(org.owner, 'dance', await gif())
  const { source_url, still_url } = await emojiOf(org.owner, 'dance')
  const moving = { type: 'image/gif', format: 'gif', pages: 3, width: 64, height: 64 }
  expect(await look(org.visitor, source_url as string)).toMatchObject(moving)
  const still = { type: 'image/png', format: 'png', width: 64, height: 64 }
  expect(await look(org.visitor, still_url as string)).toMatchObject(still)
})

test('the frames of an animated emoji are limited, since each has to be drawn', async () => {
  const org = await organization()
  expect(await add(org.owner, 'long', longGif(pictureLimits.emojiFrames + 1))).toMatchObject({
    status: 400,
    body: {
      code: 'BAD_IMAGE',
      msg: `An animated emoji may have at most ${pictureLimits.emojiFrames} frames.`,
    },
  })
  expect(await storedPictures(org)).toEqual([])
  expect((await add(org.owner, 'long', longGif(pictureLimits.emojiFrames))).status).toBe(200)
  const { source_url } = await emojiOf(org.owner, 'long')
  expect(await look(org.visitor, source_url as string)).toMatchObject({ format: 'gif', width: 64 })
})

test('a deactivated emoji cannot be used again, and stays in old messages and reactions', async () => {
  const { anna, ben, channel } = await annaAndBen(await organization())
  await add(anna, 'party')
  const { id, source_url } = await emojiOf(anna, 'party')
  const sent = await anna.post('/messages', {
    type: 'channel',
    to: channel.id,
    topic: 't',
    content: ':party:',
  })
  const reactions = `/messages/${sent.body.id}/reactions`
  const named = { emoji_name: 'party', emoji_code: id, reaction_type: 'realm_emoji' }
  await anna.post(reactions, { emoji_name: 'party' })
  await anna.post('/users/me/status', { emoji_name: 'party' })

  const client = await ben.register()
  expect((await anna.delete('/realm/emoji/party')).status).toBe(200)
  const [event] = await client.events()
  expect(event).toMatchObject({ type: 'realm_emoji', realm_emoji: { [id as string]: { deactivated: true } } })
  await client.expectStateToMatch()

  const { message } = (await ben.get(`/messages/${sent.body.id}`)).body
  expect(message.reactions).toMatchObject([{ ...named, user_id: anna.id }])
  expect(message.content).toContain(`src="${source_url}"`)
  expect((await look(ben, source_url as string)).status).toBe(200)
  // Users may still join an existing reaction.
  expect((await ben.post(reactions, named)).status).toBe(200)
  expect((await ben.delete(reactions, named)).status).toBe(200)
  const fresh = await ben.post('/messages', {
    type: 'channel',
    to: channel.id,
    topic: 't',
    content: ':party:',
  })
  const refused = await ben.post(`/messages/${fresh.body.id}/reactions`, named)
  expect(refused.body.msg).toBe('This custom emoji has been deactivated.')
  expect((await ben.post('/users/me/status', named)).body.msg).toBe('This custom emoji has been deactivated.')
  expect((await ben.post('/users/me/status', { emoji_name: 'party' })).body.msg).toBe(
    "Emoji 'party' does not exist",
  )
  expect((await ben.get(`/messages/${fresh.body.id}`)).body.message.content).toBe('<p>:party:</p>')
})

test('a name is free again once its emoji is deactivated', async () => {
  const org = await organization()
  await add(org.owner, 'party')
  await org.owner.delete('/realm/emoji/party')
  expect((await add(org.owner, 'party')).status).toBe(200)
  expect(Object.values(await allEmoji(org.owner)).map((one) => one.deactivated)).toEqual([true, false])
})

test('custom emoji take precedence over Unicode emoji in messages and reactions', async () => {
  const org = await organization()
  const { owner } = org
  await add(owner, 'smile')
  await add(owner, 'zulip')
  const { id, source_url } = await emojiOf(owner, 'smile')
  const { rendered } = (await owner.post('/messages/render', { content: ':smile: :zulip:' })).body
  expect(rendered).toContain(`<img alt=":smile:" class="emoji" src="${source_url}" title="smile">`)
  expect(rendered).toContain((await emojiOf(owner, 'zulip')).source_url)
  const sent = await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'x' })
  await owner.post(`/messages/${sent.body.id}/reactions`, { emoji_name: 'smile' })
  const { reactions } = (await owner.get(`/messages/${sent.body.id}`)).body.message
  expect(reactions).toMatchObject([{ emoji_code: id, reaction_type: 'realm_emoji' }])
})

test('channel descriptions may contain custom emoji', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  await add(org.owner, 'party')
  await org.owner.patch(`/streams/${channel.id}`, { description: 'a :party:' })
  const { stream } = (await org.owner.get(`/streams/${channel.id}`)).body
  const { source_url } = await emojiOf(org.owner, 'party')
  expect(stream.rendered_description).toBe(
    `<p>a <img alt=":party:" class="emoji" src="${source_url}" title="party"></p>`,
  )
})

test('the extra emoji has a picture', async () => {
  const org = await organization()
  const { rendered } = (await org.owner.post('/messages/render', { content: ':zulip:' })).body
  const [, address] = /^<p><img alt=":zulip:" class="emoji" src="([^"]+)" title="zulip"><\/p>$/.exec(
    rendered,
  )!
  expect(await look(org.visitor, address!)).toMatchObject({ status: 200, type: 'image/png', width: 64 })
})

test.each([
  ['Bad Name!', /^Emoji names must contain only lowercase English letters, digits/],
  ['dot.dot', /^Emoji names must contain only/],
  ['ends_', 'Emoji names must end with either a letter or digit.'],
  [' ', 'Emoji name is missing'],
  ['x'.repeat(emojiLimits.customEmojiNameLength + 1), /too long/],
])('%j is no name', async (name, msg) => {
  const org = await organization()
  const answer = await add(org.owner, name)
  expect({ status: answer.status, msg: answer.body.msg }).toEqual({
    status: 400,
    msg: expect.stringMatching(msg),
  })
})

test('a file that is not a picture, or is too large, is refused and leaves nothing behind', async () => {
  const org = await organization()
  const refused = async (content: Buffer) => (await add(org.owner, 'x', content)).body
  const invalid = { code: 'BAD_IMAGE', msg: 'Invalid image format' }
  expect(await refused(Buffer.from('hello'))).toMatchObject(invalid)
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  expect(await refused(Buffer.from(drawing))).toMatchObject(invalid)
  const broken = (await png(100)).subarray(0, 60)
  expect(await refused(broken)).toMatchObject({ code: 'BAD_IMAGE', msg: /^Could not decode image/ })
  const bomb = await png(8000, 8000)
  expect(bomb.length).toBeLessThan(emojiLimits.emojiMib * 2 ** 20)
  expect(await refused(bomb)).toMatchObject({ code: 'BAD_IMAGE', msg: 'Image size exceeds limit.' })
  const large = await refused(Buffer.alloc(emojiLimits.emojiMib * 2 ** 20 + 1))
  expect(large.msg).toBe('Uploaded file is larger than the allowed limit of 5 MiB')
  const one = 'You must upload exactly one file.'
  expect((await org.owner.post('/realm/emoji/x')).body.msg).toBe(one)
  const content = await png()
  const two = await sendFiles(org.owner, 'POST', '/realm/emoji/x', [{ content }, { content }])
  expect(two.body.msg).toBe(one)
  expect(await allEmoji(org.owner)).toEqual({})
  expect(await storedPictures(org)).toEqual([])
})

test('adding an emoji takes a permission; only administrators override default emoji', async () => {
  const org = await organization()
  const [anna, guest] = await Promise.all([org.person(), org.person({ role: 'guest' })])
  expect((await add(guest, 'x')).body.msg).toBe('Not allowed for guest users')
  for (const name of ['smile', 'zulip']) {
    expect((await add(anna, name)).body.msg).toBe('Only administrators can override default emoji.')
  }
  expect((await add(anna, 'my_own')).status).toBe(200)
  expect((await add(org.owner, 'my_own')).body.msg).toBe('A custom emoji with this name already exists.')
  const moderators = systemGroupId(org.state, 'role:moderators')
  await org.owner.patch('/realm', { can_add_custom_emoji_group: { new: moderators } })
  expect((await add(anna, 'x')).body.msg).toBe('Insufficient permission')
})

test('of two users who add the same name concurrently, one succeeds', async () => {
  const org = await organization()
  const people = await Promise.all([org.person(), org.person(), org.person()])
  const answers = await Promise.all(people.map((one) => add(one, 'same')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  // The pictures of the requests that lost are removed.
  expect(await storedPictures(org)).toHaveLength(1)
})

test('only its author and administrators deactivate an emoji', async () => {
  const org = await organization()
  const [anna, ben, admin] = await Promise.all([
    org.person(),
    org.person(),
    org.person({ role: 'administrator' }),
  ])
  await add(anna, 'hers')
  const refused = await ben.delete('/realm/emoji/hers')
  expect(refused).toMatchObject({
    status: 400,
    body: { msg: 'Must be an organization administrator or emoji author' },
  })
  expect((await admin.delete('/realm/emoji/hers')).status).toBe(200)
  const none = await admin.delete('/realm/emoji/hers')
  expect(none).toMatchObject({
    status: 404,
    body: { msg: "Emoji 'hers' does not exist", code: 'BAD_REQUEST' },
  })
})

test('another node knows a new emoji and serves its picture', async () => {
  const org = await organization()
  const { port } = await anotherNode()
  const there = org.owner.at({ ...org.place, port })
  await add(org.owner, 'party')
  // Lists of another node may be a moment old.
  await expect.poll(() => emojiOf(there, 'party')).toBeDefined()
  const { source_url } = await emojiOf(there, 'party')
  expect((await look(there, source_url as string)).status).toBe(200)
})

test('pictures of another organization, and other files, are not served', async () => {
  const [here, there] = [await organization(), await organization()]
  await add(here.owner, 'party')
  const { source_url } = await emojiOf(here.owner, 'party')
  await adapters.files.put(`${here.id}/uploads/secret.png`, Buffer.from('secret'))
  expect((await look(there.visitor, source_url as string)).status).toBe(404)
  for (const path of ['/../uploads/secret.png', '/%2e%2e/uploads/secret.png', '/emoji/images/00.png', '']) {
    expect((await look(here.visitor, `/user_avatars/${here.id}${path}`)).status, path).toBe(404)
  }
})
