import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('renders a message without sending it', async () => {
  const org = await organization()
  const anna = await org.person({ name: 'Anna Adler' })
  const listening = await anna.register()

  const rendered = await anna.post('/messages/render', { content: '**x** @**Anna Adler** <b>' })

  expect(rendered.body).toEqual({
    result: 'success',
    msg: '',
    rendered: `<p><strong>x</strong> <span class="user-mention" data-user-id="${anna.id}">@Anna Adler</span> &lt;b&gt;</p>`,
  })
  expect((await anna.post('/messages/render', { content: '' })).body).toMatchObject({ rendered: '' })
  expect(await listening.events()).toEqual([])
})

test('an empty code fence has no preview, but the message shows it', async () => {
  const org = await organization()
  const anna = await org.person()
  const block = '<div class="codehilite"><pre><span></span><code>\n</code></pre></div>'
  for (const [content, rendered] of [
    ['```\n```', block],
    ['~~~\n\n~~~', block],
    ['```', '<p>```</p>'],
  ]) {
    expect((await anna.post('/messages/render', { content })).body).toMatchObject({ rendered: '' })
    const { body } = await anna.post('/messages', { type: 'direct', to: [anna.id], content })
    const message = (await anna.get(`/messages/${body.id}`)).body.message
    expect(message.content).toBe(rendered)
  }
  expect((await anna.post('/messages/render', { content: 'a\n```' })).body.rendered).toBe('<p>a<br>\n```</p>')
})

test.each(['line separator \u2028', 'paragraph separator \u2029', 'next line \u0085'])(
  'a list with a %j in it is sent',
  async (odd) => {
    const org = await organization()
    const anna = await org.person()
    const content = `* a${odd}b\n* c${odd}`
    const { status, body } = await anna.post('/messages', { type: 'direct', to: [anna.id], content })
    expect(status).toBe(200)
    const { message } = (await anna.get(`/messages/${body.id}`)).body
    expect(message.content).toMatch(/^<ul>\n<li>a[^<]*b<\/li>\n<li>c[^<]*<\/li>\n<\/ul>$/)
  },
)

test('rejects missing text, and truncates only text that is far too long', async () => {
  const org = await organization()
  const anna = await org.person()
  expect((await anna.post('/messages/render', {})).body).toMatchObject({ msg: "Missing 'content' argument" })
  const long = await anna.post('/messages/render', { content: 'x'.repeat(10_001) })
  expect(long.body.rendered).toBe(`<p>${'x'.repeat(10_001)}</p>`)
  const endless = await anna.post('/messages/render', { content: 'x'.repeat(30_000) })
  expect(endless.body.rendered).toMatch(/\[message truncated\]<\/p>$/)
})
