import { expect, test } from 'vitest'
import type { Organization } from '../../../../../test/organization.ts'
import { sharedServer } from '../../../../../test/test-server.ts'

const { organization } = sharedServer()

async function scene() {
  const org = await organization()
  const anna = await org.person({ name: 'Anna Adler' })
  const group = (
    await org.owner.post('/user_groups/create', { name: 'crew', description: '', members: [anna.id] })
  ).body.group_id
  const design = await org.channel({ name: 'design' })
  return { org, anna, group, design }
}

/** Everything that a description may mention, and its HTML. */
function texts({
  anna,
  group,
  design,
}: Pick<Awaited<ReturnType<typeof scene>>, 'anna' | 'group' | 'design'>) {
  const written = '@**Anna Adler** @*crew* @_**Anna Adler** #**design** #**design>start**'
  const mention = `<span class="user-mention" data-user-id="${anna.id}">@Anna Adler</span>`
  const silent = `<span class="user-mention silent" data-user-id="${anna.id}">Anna Adler</span>`
  const crew = `<span class="user-group-mention" data-user-group-id="${group}">@crew</span>`
  const address = `/#narrow/channel/${design.id}-design`
  const channel = `<a class="stream" data-stream-id="${design.id}" href="${address}">#design</a>`
  const topic = `<a class="stream-topic" data-stream-id="${design.id}" href="${address}/topic/start">#design &gt; start</a>`
  return { written, html: `${mention} ${crew} ${silent} ${channel} ${topic}` }
}

async function renderedOf({ owner }: Organization, name: string): Promise<string> {
  const { streams } = (await owner.get('/streams')).body
  return streams.find((stream: { name: string }) => stream.name === name).rendered_description
}

test('descriptions of channels and folders mention users, groups and channels, and quote', async () => {
  const { org, anna, group, design } = await scene()
  const { written, html } = texts({ anna, group, design })
  const client = await anna.register()

  const subscriptions = [{ name: 'described', description: `> ${written}` }]
  expect((await org.owner.post('/users/me/subscriptions', { subscriptions })).status).toBe(200)
  await org.owner.patch(`/streams/${design.id}`, { description: written })
  await org.owner.post('/channel_folders/create', { name: 'all', description: written })

  expect(await renderedOf(org, 'described')).toBe(`<blockquote>\n<p>${silenced(html)}</p>\n</blockquote>`)
  expect(await renderedOf(org, 'design')).toBe(`<p>${html}</p>`)
  const [folder] = (await org.owner.get('/channel_folders')).body.channel_folders
  expect(folder.rendered_description).toBe(`<p>${html}</p>`)
  // A description notifies no user.
  const messages = (await client.events()).filter(({ type }) => type === 'message')
  expect(messages.flatMap(({ flags }) => flags)).not.toContain('mentioned')
  await client.expectStateToMatch()
})

test('a description mentions only what its writer may see, and shows no previews', async () => {
  const { org, anna } = await scene()
  await org.channel({ name: 'secret', subscribers: [org.owner], isPrivate: true })
  const description = '#**secret** @**Nobody** https://example.com/a.png'
  const subscriptions = [{ name: 'described', description }]
  expect((await anna.post('/users/me/subscriptions', { subscriptions })).status).toBe(200)
  expect(await renderedOf(org, 'described')).toBe(
    '<p>#<strong>secret</strong> @<strong>Nobody</strong> <a href="https://example.com/a.png">https://example.com/a.png</a></p>',
  )
})

/** The HTML within a quote. */
function silenced(html: string) {
  return html.replace(/(class="user-(?:group-)?mention)("[^>]*>)@/g, '$1 silent$2')
}
