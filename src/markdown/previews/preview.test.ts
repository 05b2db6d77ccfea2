import { expect, test } from 'vitest'
import { emptyLookup, type Lookup } from '../lookup.ts'
import { render } from '../render.ts'

const lookup: Lookup = {
  ...emptyLookup,
  realmUrl: 'https://chat.example',
  externalContent: (address) => `/external/${encodeURIComponent(address)}`,
  picture(path) {
    if (path === '1/new.png') return { contentType: 'image/png', width: 20, height: 10 }
    if (path !== '1/a.gif') return undefined
    return {
      contentType: 'image/gif',
      width: 4,
      height: 3,
      animated: true,
      thumbnail: '/user_uploads/thumbnail/1/a.gif/8x6.webp',
    }
  },
}
const html = (source: string, more: Partial<Lookup> = {}) => render(source, { ...lookup, ...more }).html

const a = (address: string, text = address) => `<a href="${address}">${text}</a>`
const image = (address: string, title = '') =>
  `<div class="message_inline_image"><a href="${address}"${title}><img src="/external/${encodeURIComponent(address)}"></a></div>`
const [png, gif] = ['https://x.org/a.png', 'https://x.org/b.gif?c']

const cases: [source: string, html: string][] = [
  [png, image(png)],
  [`see ${png}`, `<p>see ${a(png)}</p>\n${image(png)}`],
  [`${png} ${gif}`, `<p>${a(png)} ${a(gif)}</p>\n${image(png)}${image(gif)}`],
  [`${png} ${png}`, `<p>${a(png)} ${a(png)}</p>\n${image(png)}`],
  [`[pic](${png})\n\nb`, `<p>${a(png, 'pic')}</p>\n${image(png, ' title="pic"')}\n<p>b</p>`],
  [`> ${png}`, `<blockquote>\n<p>${a(png)}</p>\n</blockquote>`],
  [`- ${png}\n- b ${gif}`, `<ul>\n<li>${image(png)}</li>\n<li>b ${a(gif)}${image(gif)}</li>\n</ul>`],
  ['`https://x.org/a.png`', '<p><code>https://x.org/a.png</code></p>'],
  [
    'https://x.org/v.mp4',
    '<div class="message_inline_image message_inline_video"><a href="https://x.org/v.mp4">' +
      '<video preload="metadata" src="/external/https%3A%2F%2Fx.org%2Fv.mp4"></video></a></div>',
  ],
  [
    '[a.gif](/user_uploads/1/a.gif)',
    `<p>${a('/user_uploads/1/a.gif', 'a.gif')}</p>\n<div class="message_inline_image">` +
      '<a href="/user_uploads/1/a.gif" title="a.gif"><img data-animated="true" data-original-content-type="image/gif"' +
      ' data-original-dimensions="4x3" src="/user_uploads/thumbnail/1/a.gif/8x6.webp"></a></div>',
  ],
  [
    '[n](/user_uploads/1/new.png)',
    `<p>${a('/user_uploads/1/new.png', 'n')}</p>\n<div class="message_inline_image">` +
      '<a href="/user_uploads/1/new.png" title="n"><img class="image-loading-placeholder"' +
      ' data-original-content-type="image/png" data-original-dimensions="20x10"' +
      ' src="/static/images/loading/loader-black.svg"></a></div>',
  ],
  ['[g](/user_uploads/1/gone.png)', `<p>${a('/user_uploads/1/gone.png', 'g')}</p>`],
  [
    '[song](/user_uploads/1/a.mp3)',
    '<p><audio controls preload="metadata" src="/user_uploads/1/a.mp3" title="song"></audio></p>',
  ],
  ['[song](https://x.org/a.mp3)', `<p>${a('https://x.org/a.mp3', 'song')}</p>`],
  [
    'https://youtu.be/dQw4w9WgXcQ',
    `<p>${a('https://youtu.be/dQw4w9WgXcQ')}</p>\n<div class="youtube-video message_inline_image">` +
      '<a data-id="dQw4w9WgXcQ" href="https://youtu.be/dQw4w9WgXcQ">' +
      '<img src="/external/https%3A%2F%2Fi.ytimg.com%2Fvi%2FdQw4w9WgXcQ%2Fmqdefault.jpg"></a></div>',
  ],
  ['https://vimeo.com/1', `<p>${a('https://vimeo.com/1')}</p>`],
]

test.each(cases)('%s', (source, expected) => {
  expect(html(source)).toBe(expected)
})

test.each([
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;t=3',
  'https://m.youtube.com/watch?a=b&amp;v=dQw4w9WgXcQ',
  'https://www.youtube.com/embed/dQw4w9WgXcQ',
])('%s is a video', (escaped) => {
  expect(html(escaped.replaceAll('&amp;', '&'))).toContain('data-id="dQw4w9WgXcQ"')
})

test('an organization may do without, and nothing of others is shown by their own address', () => {
  expect(html(png, { inlineImagePreview: false })).toBe(`<p>${a(png)}</p>`)
  expect(render(png, emptyLookup).html).toBe(`<p>${a(png)}</p>`)
})

test('with too many of them, none is shown', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://x.org/${index}.png`).join(' ')
  expect(html(many(24)).split('<img').length).toBe(25)
  expect(html(many(25))).not.toContain('<img')
})
