import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'

const { organization } = world()

test('a message can be rendered without being sent', async () => {
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

test('text that is missing is refused, and only a text that is far too long is cut', async () => {
  const org = await organization()
  const anna = await org.person()
  expect((await anna.post('/messages/render', {})).body).toMatchObject({ msg: "Missing 'content' argument" })
  const long = await anna.post('/messages/render', { content: 'x'.repeat(10_001) })
  expect(long.body.rendered).toBe(`<p>${'x'.repeat(10_001)}</p>`)
  const endless = await anna.post('/messages/render', { content: 'x'.repeat(30_000) })
  expect(endless.body.rendered).toMatch(/\[message truncated\]<\/p>$/)
})
