import { describe, expect, test } from 'vitest'
import { sendTo } from '../../../../../test/messages.ts'
import type { Person } from '../../../../../test/person.ts'
import { gif, look, png, sendFiles } from '../../../../../test/pictures.ts'
import { testServer } from '../../../../../test/test-server.ts'
import { claimLimits } from './limits.ts'

const all = testServer()

async function upload(who: Person, name: string, content: Buffer | string = 'hello'): Promise<string> {
  const { body } = await sendFiles(who, 'POST', '/user_uploads', [{ name, content: Buffer.from(content) }])
  expect(body).toMatchObject({ result: 'success' })
  return body.url
}

async function attachments(who: Person) {
  const { body } = await who.get('/attachments')
  return body.attachments as { id: number; name: string; messages: { id: number; date_sent: number }[] }[]
}

async function stage() {
  const org = await all.organization()
  const [ann, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, ben] })
  return { org, ann, ben, channel }
}

/** A picture too large for its thumbnail to be created immediately. */
const largePicture = () => png(2000, 1500)

describe('the messages that link to an upload', () => {
  test('are listed with it, and only its owner receives events about them', async () => {
    const { ann, ben, channel } = await stage()
    const url = await upload(ann, 'a.txt')
    const [client, other] = [await ann.register(), await ben.register()]
    const first = await sendTo(ann, channel.id, 'files', `[a](${url})`)
    const second = await sendTo(ben, channel.id, 'files', `again: ${url.slice(1)} [a](${url})`)
    const messages = [first, second].map((id) => ({ id, date_sent: expect.any(Number) }))
    const heard = await client.events()
    const told = heard.filter(({ type }) => type === 'attachment')
    expect(told.map(({ op, attachment }) => [op, attachment.messages])).toEqual([
      ['update', messages.slice(0, 1)],
      ['update', messages],
    ])
    expect((await other.events()).map(({ type }) => type)).not.toContain('attachment')
    expect(await attachments(ann)).toMatchObject([{ name: 'a.txt', messages }])
    await client.expectStateToMatch()
  })

  test('follow edits, and an upload without any link is offered for deletion', async () => {
    const { ann, channel } = await stage()
    const [a, b] = [await upload(ann, 'a.txt'), await upload(ann, 'b.txt')]
    const id = await sendTo(ann, channel.id, 'files', `[a](${a})`)
    const client = await ann.register()
    const { body } = await ann.patch(`/messages/${id}`, { content: `[b](${b})` })
    expect(body.detached_uploads).toMatchObject([{ name: 'a.txt', messages: [] }])
    expect(await attachments(ann)).toMatchObject([
      { name: 'a.txt', messages: [] },
      { name: 'b.txt', messages: [{ id }] },
    ])
    const told = (await client.events()).filter(({ type }) => type === 'attachment')
    expect(told).toHaveLength(2)
    const again = await ann.patch(`/messages/${id}`, { content: `[b](${b})!`, topic: 'elsewhere' })
    expect(again.body.detached_uploads).toEqual([])
    const both = await ann.patch(`/messages/${id}`, { content: 'nothing', topic: 'back' })
    expect(both.body.detached_uploads).toMatchObject([{ name: 'b.txt' }])
  })

  test('are reported to each owner, for any number of uploads', async () => {
    const { org, ann, ben, channel } = await stage()
    const [his, secret] = [await upload(ben, 'his.txt'), await upload(ben, 'secret.txt')]
    await sendTo(ben, channel.id, 'files', `[a](${his})`)
    const hers = [await upload(ann, 'a.txt'), await upload(ann, 'b.txt')]
    const only = { event_types: ['attachment'] }
    const [own, other] = [await ann.register(only), await ben.register(only)]
    const links = [his, secret, ...hers].map((url) => `[a](${url})`).join(' ')
    const id = await sendTo(ann, channel.id, 'files', links)
    const linked = (name: string) => ({ op: 'update', attachment: { name, messages: [{ id }] } })
    expect(await own.events()).toMatchObject([linked('a.txt'), linked('b.txt')])
    expect(await other.events()).toMatchObject([
      { attachment: { name: 'his.txt', messages: [expect.anything(), { id }] } },
    ])
    await org.owner.delete(`/messages/${id}`)
    const free = (name: string) => ({ op: 'update', attachment: { name, messages: [] } })
    expect(await own.events()).toMatchObject([free('a.txt'), free('b.txt')])
    const kept = { op: 'update', attachment: { name: 'his.txt', messages: [expect.anything()] } }
    expect(await other.events()).toMatchObject([kept])
  })

  test('disappear when they are deleted', async () => {
    const { org, ann, channel } = await stage()
    const url = await upload(ann, 'a.txt')
    await sendTo(ann, channel.id, 'files', 'stays')
    const id = await sendTo(ann, channel.id, 'files', `[a](${url})`)
    const client = await ann.register()
    await org.owner.delete(`/messages/${id}`)
    expect(await attachments(ann)).toMatchObject([{ name: 'a.txt', messages: [] }])
    expect((await client.events()).map(({ type }) => type)).toEqual(['attachment', 'delete_message'])
  })

  test('appear when a scheduled message is sent', async () => {
    const { ann, channel } = await stage()
    const url = await upload(ann, 'a.txt')
    const soon = all.node.site.clock() + 3_600
    const scheduled = { type: 'channel', to: channel.id, topic: 'files', content: `[a](${url})` }
    await ann.post('/scheduled_messages', { ...scheduled, scheduled_delivery_timestamp: soon })
    expect(await attachments(ann)).toMatchObject([{ messages: [] }])
    all.pass(3_600)
    await all.workOff()
    expect((await attachments(ann))[0]!.messages).toHaveLength(1)
  })

  test('are found by the `has` operators', async () => {
    const { ann, ben, channel } = await stage()
    const [text, picture] = [await upload(ann, 'a.txt'), await upload(ann, 'a.png', await png())]
    const [first, second] = [
      await sendTo(ann, channel.id, 'files', `[a](${text})`),
      await sendTo(ann, channel.id, 'files', `[a](${picture})`),
    ]
    const found = async (operand: string) => {
      const narrow = [{ operator: 'has', operand }]
      const { body } = await ben.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow })
      return body.messages.map((message: { id: number }) => message.id)
    }
    expect(await found('attachment')).toEqual([first, second])
    expect(await found('image')).toEqual([second])
    expect(await found('link')).toEqual([first, second])
  })
})

describe('a picture', () => {
  test('has a thumbnail below the message', async () => {
    const { ann, ben, channel } = await stage()
    const url = await upload(ann, 'a.png', await png(400, 300))
    const client = await ben.register()
    await sendTo(ann, channel.id, 'files', `[a.png](${url})`)
    const [{ message }] = (await client.events()) as [{ message: { content: string } }]
    const thumbnail = `${url.replace('/user_uploads', '/user_uploads/thumbnail')}/840x560.webp`
    expect(message.content).toBe(
      `<p><a href="${url}">a.png</a></p>\n<div class="message_inline_image"><a href="${url}" title="a.png">` +
        '<img data-original-content-type="image/png" data-original-dimensions="400x300" ' +
        `src="${thumbnail}"></a></div>`,
    )
    expect(await look(ben, thumbnail)).toMatchObject({ status: 200, format: 'webp', width: 400, height: 300 })
    const { body } = await ben.post('/messages/render', { content: `[a.png](${url})` })
    expect(body.rendered).toBe(message.content)
  })

  test('that is large gets its thumbnail later', async () => {
    const { ann, ben, channel } = await stage()
    const url = await upload(ann, 'a.png', await largePicture())
    const client = await ben.register()
    const id = await sendTo(ann, channel.id, 'files', `[a](${url})`)
    const [{ message }] = (await client.events()) as [{ message: { content: string } }]
    expect(message.content).toContain('<img class="image-loading-placeholder"')
    const placeholder = await ben.raw({ method: 'GET', path: '/static/images/loading/loader-black.svg' })
    expect(placeholder.headers['content-type']).toBe('image/svg+xml')
    const [event] = await client.next()
    expect(event).toMatchObject({
      type: 'update_message',
      rendering_only: true,
      user_id: null,
      message_id: id,
      message_ids: [id],
      content: `[a](${url})`,
    })
    const [, src = ''] = /src="([^"]+)"/.exec(event!.rendered_content) ?? []
    expect(event!.rendered_content).toBe(
      message.content
        .replace('class="image-loading-placeholder" ', '')
        .replace('/static/images/loading/loader-black.svg', src),
    )
    expect(await look(ben, src)).toMatchObject({ format: 'webp', width: 747, height: 560 })
    const { body } = await ben.get(`/messages/${id}`)
    expect(body.message.content).toBe(event!.rendered_content)
    expect(body.message.last_edit_timestamp).toBeUndefined()
    await client.expectStateToMatch()
  })

  test('that is animated has an animated thumbnail', async () => {
    const { ann, ben, channel } = await stage()
    const url = await upload(ann, 'a.gif', await gif(20))
    const client = await ben.register()
    await sendTo(ann, channel.id, 'files', `[a](${url})`)
    const [event] = (await client.events()).concat(await client.next()).slice(-1)
    expect(event!.rendered_content).toContain('data-animated="true"')
    const [, src = ''] = /src="([^"]+)"/.exec(event!.rendered_content) ?? []
    expect(src).toMatch(/840x560-anim\.webp$/)
    expect(await look(ben, src)).toMatchObject({ format: 'webp', pages: 3, width: 20, height: 20 })
    expect(await look(ben, src.replace('-anim', ''))).toMatchObject({ pages: undefined, width: 20 })
  })

  test('that is invalid has no preview', async () => {
    const { ann, channel, ben } = await stage()
    const url = await upload(ann, 'a.png', 'not a picture')
    const client = await ben.register()
    await sendTo(ann, channel.id, 'files', `[a](${url})`)
    const [{ message }] = (await client.events()) as [{ message: { content: string } }]
    expect(message.content).toBe(`<p><a href="${url}">a</a></p>`)
  })
})

describe('an upload without links', () => {
  test('is removed after weeks, unless a draft links to it', async () => {
    const { ann, ben, channel } = await stage()
    const [kept, drafted] = [await upload(ann, 'kept.txt'), await upload(ann, 'drafted.txt')]
    const forgotten = await upload(ann, 'forgotten.txt')
    await sendTo(ann, channel.id, 'files', `[a](${kept})`)
    const draft = { type: 'stream', to: [channel.id], topic: 'files', content: `[a](${drafted})` }
    await ann.post('/drafts', { drafts: [draft] })
    // A link of another user to its address does not keep it.
    const content = `[a](${forgotten})`
    await ben.post('/drafts', { drafts: [{ ...draft, content }] })
    const names = async () => (await attachments(ann)).map(({ name }) => name)
    all.pass((claimLimits.unclaimedUploadDays - 1) * 86_400)
    await all.workOff()
    expect(await names()).toEqual(['kept.txt', 'drafted.txt', 'forgotten.txt'])
    all.pass(2 * 86_400)
    await expect.poll(names).toEqual(['kept.txt', 'drafted.txt'])
  })
})
