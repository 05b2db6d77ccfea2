import { describe, expect, test } from 'vitest'
import { sendTo } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { linkedSite } from '../../../../test/programs/linked-site.ts'
import { startNode, testServer } from '../../../../test/test-server.ts'
import { safeFetch } from '../../../adapters/safe-fetch.ts'
import { knownPagesLimits } from '../kernel/link-previews/limits.ts'
import { linkPreviewLimits } from './limits.ts'

const all = testServer({ adapters: { fetch: safeFetch({ mayReach: () => true }) } })

const site = await linkedSite()

function article(path: string) {
  return site.page(
    path,
    `<title>Not this</title><meta property="og:title" content="Ravens &amp; <b>rooks</b>">
    <meta property='og:description' content="How they
      live"><meta property="og:image" content="/nest.jpg">`,
  )
}

async function stage() {
  const org = await all.organization()
  const [ann, ben, cyd] = [await org.person(), await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner, ann, ben], isPrivate: true })
  expect((await org.owner.patch('/realm', { inline_url_embed_preview: true })).status).toBe(200)
  return { org, ann, ben, cyd, channel }
}

async function shown(who: Person, id: number): Promise<string> {
  return (await who.get(`/messages/${id}`)).body.message.content
}

describe('a linked page', () => {
  test('is shown below the message as soon as it has been read, to readers of the message alone', async () => {
    const { ann, ben, cyd, channel } = await stage()
    const url = article('/rooks')
    const [client, stranger] = [await ben.register(), await cyd.register()]
    const release = site.hold()
    const id = await sendTo(ann, channel.id, 'birds', `look: ${url}`)
    const link = `<p>look: <a href="${url}">${url}</a></p>`
    expect(await client.events()).toMatchObject([{ message: { id, content: link } }])
    release()
    await all.workOff()
    const [event] = await client.events()
    expect(event).toMatchObject({
      type: 'update_message',
      rendering_only: true,
      user_id: null,
      message_ids: [id],
    })
    const [, picture] = /url\(&quot;(\/external_content\/[0-9a-f]{40}\/([0-9a-f]+))&quot;\)/.exec(
      event!.rendered_content,
    )!
    expect(event!.rendered_content).toBe(
      `${link}\n<div class="message_embed">` +
        `<a class="message_embed_image" href="${url}" style="background-image: url(&quot;${picture}&quot;)" tabindex="-1" aria-hidden="true"></a>` +
        `<div class="data-container"><div class="message_embed_title"><a href="${url}" ` +
        'title="Ravens &amp; &lt;b&gt;rooks&lt;/b&gt;">Ravens &amp; &lt;b&gt;rooks&lt;/b&gt;</a></div>' +
        '<div class="message_embed_description">How they live</div></div></div>',
    )
    expect(Buffer.from(picture!.split('/').at(-1)!, 'hex').toString()).toBe(`${site.url}/nest.jpg`)
    expect(await shown(ben, id)).toBe(event!.rendered_content)
    expect((await ben.get(`/messages/${id}`)).body.message).not.toHaveProperty('last_edit_timestamp')
    expect(await stranger.events()).toEqual([])
    await client.expectStateToMatch()
    expect(site.asked).toEqual([
      {
        path: '/rooks',
        headers: expect.objectContaining({ 'accept-language': 'en', 'user-agent': 'Rookery-Link-Preview' }),
      },
    ])
    expect(site.asked[0]!.headers).not.toHaveProperty('cookie')
  })

  test('is shown to users who came later, and to those who have starred the message without being subscribed', async () => {
    const { org, ann, ben, cyd } = await stage()
    const channel = await org.channel({ subscribers: [ann] })
    const release = site.hold()
    const id = await sendTo(ann, channel.id, 'birds', `look: ${article('/jackdaws')}`)
    await ben.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
    await cyd.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    const clients = [await ben.register(), await cyd.register(), await org.owner.register()]
    release()
    await all.workOff()
    const heard = await Promise.all(clients.map((client) => client.events()))
    const rendered = [{ type: 'update_message', rendering_only: true, message_ids: [id] }]
    expect(heard).toMatchObject([rendered, rendered, []])
  })

  test('is read once for many messages, which then show it from the first on', async () => {
    const { ann, ben, channel } = await stage()
    const url = article('/rooks')
    await sendTo(ann, channel.id, 'birds', url)
    await all.workOff()
    const id = await sendTo(ben, channel.id, 'birds', `again ${url}`)
    expect(await shown(ann, id)).toContain('class="message_embed"')
    await all.workOff()
    expect(site.asked).toHaveLength(1)
  })

  test('is neither read nor shown unless the organization wants it', async () => {
    const { org, ann, channel } = await stage()
    await org.owner.patch('/realm', { inline_url_embed_preview: false })
    const id = await sendTo(ann, channel.id, 'birds', article('/rooks'))
    await all.workOff()
    expect(await shown(ann, id)).not.toContain('message_embed')
    expect(site.asked).toEqual([])
  })

  test('is neither read nor shown on a server that reads no pages', async () => {
    const { org, channel, ann } = await stage()
    const fetch = safeFetch({ mayReach: () => true })
    const node = await startNode(all.databaseUrl, {
      adapters: { ...all.adapters, fetch },
      linkPreviews: false,
    })
    const there = ann.at({ ...org.place, port: node.port })
    expect((await there.post('/register')).body.server_inline_url_embed_preview).toBe(false)
    const content = article('/rooks')
    await there.post('/messages', { type: 'channel', to: channel.id, topic: 'birds', content })
    await all.workOff()
    await node.app.workOff()
    await node.close()
    expect(site.asked).toEqual([])
  })

  test('does not tell who previews a text whether others have linked to it', async () => {
    const { ann, cyd, channel } = await stage()
    const url = article('/rooks')
    await sendTo(ann, channel.id, 'birds', url)
    await all.workOff()
    const { body } = await cyd.post('/messages/render', { content: url })
    expect(body.rendered).toBe(`<p><a href="${url}">${url}</a></p>`)
  })

  test('that cannot be read is tried again after a while', async () => {
    const { ann, channel } = await stage()
    const url = site.page('/busy', '<title>Busy</title>', { status: 503 })
    await sendTo(ann, channel.id, 'birds', url)
    await all.workOff()
    site.page('/busy', '<title>Busy</title>')
    const soon = await sendTo(ann, channel.id, 'birds', url)
    await all.workOff()
    expect(await shown(ann, soon)).not.toContain('Busy')
    expect(site.asked).toHaveLength(1)
    all.pass(knownPagesLimits.failedPageSeconds)
    const later = await sendTo(ann, channel.id, 'birds', url)
    await all.workOff()
    expect(await shown(ann, later)).toContain('Busy')
  })

  test('is not shown once the organization has turned previews off', async () => {
    const { org, ann, channel } = await stage()
    site.beforeAnswer = async () =>
      void (await org.owner.patch('/realm', { inline_url_embed_preview: false }))
    const id = await sendTo(ann, channel.id, 'birds', article('/rooks'))
    await all.workOff()
    expect(site.asked).toHaveLength(1)
    expect(await shown(ann, id)).not.toContain('message_embed')
  })

  test('is read once for its sections, and not for a poll', async () => {
    const { ann, channel } = await stage()
    const url = article('/rooks')
    await sendTo(ann, channel.id, 'birds', `/poll Which?\n${url}`)
    await all.workOff()
    expect(site.asked).toEqual([])
    const id = await sendTo(ann, channel.id, 'birds', `${url}#one ${url}#two`)
    await all.workOff()
    expect(site.asked).toHaveLength(1)
    expect((await shown(ann, id)).split('class="message_embed"')).toHaveLength(3)
  })

  test('shows no picture where the organization shows none', async () => {
    const { org, ann, channel } = await stage()
    await org.owner.patch('/realm', { inline_image_preview: false })
    const id = await sendTo(ann, channel.id, 'birds', article('/rooks'))
    await all.workOff()
    expect(await shown(ann, id)).toContain('Ravens')
    expect(await shown(ann, id)).not.toContain('message_embed_image')
  })

  test('follows edits, and the edit history does without it', async () => {
    const { ann, channel } = await stage()
    const [first, second] = [site.page('/1', '<title>One</title>'), site.page('/2', '<title>Two</title>')]
    const id = await sendTo(ann, channel.id, 'birds', first)
    await all.workOff()
    const release = site.hold()
    await ann.patch(`/messages/${id}`, { content: second })
    expect(await shown(ann, id)).not.toContain('message_embed')
    release()
    await all.workOff()
    expect(await shown(ann, id)).toMatch(/title="Two"/)
    await ann.patch(`/messages/${id}`, { content: `${first} ${second}` })
    expect(await shown(ann, id)).toMatch(/title="One".*title="Two"/s)
    await ann.patch(`/messages/${id}`, { content: 'nothing' })
    expect(await shown(ann, id)).toBe('<p>nothing</p>')
    expect(site.asked).toHaveLength(2)
    const { body } = await ann.get(`/messages/${id}/history`)
    expect(JSON.stringify(body)).not.toContain('message_embed')
  })

  test.each([
    ['edited', async (ann: Person, id: number) => ann.patch(`/messages/${id}`, { content: 'nothing' })],
    ['deleted', async (ann: Person, id: number) => ann.delete(`/messages/${id}`)],
  ])('is not shown in a message that was %s meanwhile', async (_, change) => {
    const { org, channel } = await stage()
    const id = await sendTo(org.owner, channel.id, 'birds', article('/rooks'))
    site.beforeAnswer = async () => void (await change(org.owner, id))
    await all.workOff()
    const { body } = await org.owner.get(`/messages/${id}`)
    expect(body.message?.content ?? 'gone').not.toContain('Ravens')
    all.pass(3_600)
    await all.workOff()
    expect(site.asked).toHaveLength(1)
  })
})

test('a user who links to very many pages gets no previews of some, and others do', async () => {
  const { ann, ben, channel } = await stage()
  const most = linkPreviewLimits.linkPreviewsPerMinute
  // More than are read even if this takes minutes.
  const many = 4 * most
  for (let n = 0; n < many; n++)
    await sendTo(ann, channel.id, 'birds', site.page(`/${n}`, `<title>Page ${n}</title>`))
  await all.workOff()
  expect(site.asked.length).toBeGreaterThanOrEqual(most)
  expect(site.asked.length).toBeLessThan(many)
  const id = await sendTo(ben, channel.id, 'birds', site.page('/other', '<title>Other</title>'))
  await all.workOff()
  expect(await shown(ann, id)).toContain('Other')
})
